import FoundationEssentials
import RecordStack

/// A visit to a page.
@Entity(.indexed(\.date)) final class Visit: ManagedObject {
    var date: Date
    var kind: Kind = .reader
    private(set) var note: String?
    @Relationship(.required, inverse: \Page.visits) var page: Page?

    enum Kind: String, EnumAttributeValue {
        case reader, robot
    }

    /// Sets the note to the text without extra spaces, or to nil if there is no other text.
    func write(_ text: String) {
        let words = text.split(separator: " ")
        note = words.isEmpty ? nil : words.joined(separator: " ")
    }
}
