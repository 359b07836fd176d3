/// Additional guarantees of a save.
///
/// ```swift
/// try await context.save(.durable)
/// ```
public struct SaveOptions: OptionSet, Sendable, Hashable {
    /// The bit mask, with one bit for each option.
    public let rawValue: Int

    /// Creates the set of the options whose bits are set.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Makes the save, and every save before it, survive a loss of power once it has returned.
    ///
    /// Every save is atomic and survives a crash of the program, with or without this option. After
    /// a loss of power, the last saves may be missing, each as a whole, but never a durable save or
    /// the saves before it. A durable save waits for the disk: it takes milliseconds instead of
    /// microseconds. The option changes nothing for a store in memory.
    public static let durable = SaveOptions(rawValue: 1)
}
