/// What a save promises beyond the usual.
///
/// ```swift
/// try await context.save(.durable)
/// ```
public struct SaveOptions: OptionSet, Sendable, Hashable {
    /// A bit for each option.
    public let rawValue: Int

    /// The options whose bits are set.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The save, and every save before it, survives a loss of power once it has returned.
    ///
    /// Every save is all or nothing, and survives the end of the program however that comes.
    /// When the machine loses power, the last saves may be gone, as a whole; not those before a
    /// durable one. It waits for the disk, which takes milliseconds, where another save takes
    /// microseconds. In memory it changes nothing.
    public static let durable = SaveOptions(rawValue: 1)
}
