/// Text that several messages share.
package enum Wording {
    /// Returns a name with its article, such as "an Int64" or "a Date".
    package static func article(_ name: String) -> String {
        (name.first.map { "AEIOaeio".contains($0) } == true ? "an " : "a ") + name
    }
}
