import RecordStackModel

/// The last token that was seen in each place of a file, by the key of its row.
///
/// There are sixteen places, which a look along all of them finds sooner than a dictionary; and a dictionary of this
/// kind, made while a store is opened, takes the runtime a quarter of the instructions of opening it.
struct SeenTokens {
    private var entries: [(place: Int64, token: SaveToken)] = []

    /// The token of a place; nil where none was seen.
    subscript(place: Int64) -> SaveToken? {
        entries.first { $0.place == place }?.token
    }

    /// Keeps the token of a place.
    /// - Returns: the one before.
    @discardableResult
    mutating func update(_ token: SaveToken, at place: Int64) -> SaveToken? {
        guard let known = entries.firstIndex(where: { $0.place == place }) else {
            entries.append((place, token))
            return nil
        }
        defer { entries[known].token = token }
        return entries[known].token
    }
}
