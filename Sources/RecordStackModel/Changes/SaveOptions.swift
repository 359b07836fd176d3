/// Additional guarantees of a save.
///
/// ```swift
/// try await context.save(.durable)
/// ```
public struct SaveOptions: OptionSet, Sendable, Hashable {
    /// The bit mask, with one bit for each option.
    public let rawValue: Int

    /// Creates a set of options from a bit mask.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Makes this save and all earlier saves survive a power failure.
    ///
    /// With or without this option, every save is atomic and survives a crash of the program. After
    /// a power failure, the most recent saves may be missing. Each save is missing as a whole or
    /// not at all. A durable save that has returned is never missing, and neither are the saves
    /// before it.
    ///
    /// A durable save waits for the disk, which takes milliseconds instead of microseconds. For a
    /// store in memory, the option has no effect.
    public static let durable = SaveOptions(rawValue: 1)
}
