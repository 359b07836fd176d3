/// The row that a person refers to.
///
/// A store may number its rows as it likes: the name tells which company of the data it is.
struct CompanyRow: Sendable {
    let key: Int64

    var name: String { Self.prefix + String(key) }

    private static let prefix = "Company "

    /// The key in the data of the company with a name, 0 where there is none.
    static func key(ofName name: String) -> Int64 {
        guard name.hasPrefix(prefix) else { return 0 }
        return Int64(name.dropFirst(prefix.count)) ?? 0
    }
}
