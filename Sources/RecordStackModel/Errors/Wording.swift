/// What messages have in common.
package enum Wording {
    /// A name in a sentence: an Int64, a Date.
    package static func article(_ name: String) -> String {
        (name.first.map { "AEIOaeio".contains($0) } == true ? "an " : "a ") + name
    }
}
