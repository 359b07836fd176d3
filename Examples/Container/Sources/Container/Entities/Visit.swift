import FoundationEssentials
import RecordStack

/// Somebody has looked at a page.
@Entity(.indexed(\.date)) final class Visit: ManagedObject {
    var date: Date
    var kind: Kind = .reader
    private(set) var note: String?
    @Relationship(.required, inverse: \Page.visits) var page: Page?

    enum Kind: String, EnumAttributeValue {
        case reader, robot
    }

    /// A note is text without spaces around it, or nothing.
    func write(_ text: String) {
        let words = text.split(separator: " ")
        note = words.isEmpty ? nil : words.joined(separator: " ")
    }
}
