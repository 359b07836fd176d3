import FoundationEssentials
import RecordStackModel

// The description in the store is JSON without spaces and with sorted keys. The code writes it by
// hand, because every opening of a store writes it to compare it with the stored text. The first
// use of JSONEncoder and JSONDecoder in a process takes as long as the rest of an opening.
extension StoreDescription {
    init(text: String) throws {
        guard !JSONDepth.exceeds(Self.depth, in: text) else { throw Unreadable() }
        self = try JSONDecoder().decode(StoreDescription.self, from: Data(text.utf8))
        guard hasNamesOnce else { throw Unreadable() }
    }

    /// The error for a stored text that is not a description.
    private struct Unreadable: Error {}

    /// The depth of the JSON: an object, its entities, an entity, its columns, a column.
    private static var depth: Int { 5 }

    /// Whether names are unique among entities, tables and each entity's columns.
    private var hasNamesOnce: Bool {
        Self.areOnce(entities.map(\.name)) && Self.areOnce((links ?? []).map(\.table))
            && entities.allSatisfy { Self.areOnce($0.columns.map(\.name)) }
    }

    private static func areOnce(_ names: [String]) -> Bool { Set(names).count == names.count }

    var text: String {
        var json = JSONText()
        json.object { json in
            json.list("entities", entities) { json, entity in entity.write(to: &json) }
            if let links {
                json.list("links", links) { json, link in link.write(to: &json) }
            }
        }
        return json.text
    }
}

extension StoreDescription.Entity {
    fileprivate func write(to json: inout JSONText) {
        json.object { json in
            json.list("columns", columns) { json, column in column.write(to: &json) }
            json.list("indexed", indexed) { json, names in json.write(names) }
            json.member("name", name)
            json.member("superentity", superentity)
            json.member("table", table)
            json.list("unique", unique) { json, names in json.write(names) }
        }
    }
}

extension StoreDescription.Column {
    fileprivate func write(to json: inout JSONText) {
        json.object { json in
            json.member("destination", destination)
            json.member("index", index)
            json.member("isOptional", isOptional)
            if isOrdered == true { json.member("isOrdered", true) }
            json.member("isUnique", isUnique)
            json.member("name", name)
            json.member("storage", storage)
            json.member("type", type)
        }
    }
}

extension StoreDescription.Link {
    fileprivate func write(to json: inout JSONText) {
        json.object { json in
            json.member("first") { json in first.write(to: &json) }
            json.member("second") { json in second.write(to: &json) }
            json.member("table", table)
        }
    }
}

extension StoreDescription.Link.End {
    fileprivate func write(to json: inout JSONText) {
        json.object { json in
            json.member("column", column)
            json.member("entity", entity)
            json.member("isOrdered", isOrdered)
        }
    }
}

/// A JSON text that is being written.
private struct JSONText {
    private var bytes: [UInt8] = []
    /// True if another element precedes the next one in the same list or object.
    private var needsComma = false

    init() {
        bytes.reserveCapacity(4_096)
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func object(_ body: (inout JSONText) -> Void) {
        nest("{", "}", body)
    }

    mutating func list<Element>(
        _ key: String, _ elements: [Element], _ body: (inout JSONText, Element) -> Void
    ) {
        write(key: key)
        nest("[", "]") { json in
            for element in elements { body(&json, element) }
        }
    }

    mutating func write(_ strings: [String]) {
        nest("[", "]") { json in
            for string in strings { json.write(string) }
        }
    }

    /// Writes a member; writes nothing for nil.
    mutating func member(_ key: String, _ value: String?) {
        guard let value else { return }
        write(key: key)
        write(value)
    }

    mutating func member(_ key: String, _ body: (inout JSONText) -> Void) {
        write(key: key)
        body(&self)
    }

    mutating func member(_ key: String, _ value: Bool) {
        write(key: key)
        separate()
        bytes += (value ? "true" : "false").utf8
    }

    private mutating func nest(
        _ begin: Unicode.Scalar, _ end: Unicode.Scalar, _ body: (inout JSONText) -> Void
    ) {
        separate()
        bytes.append(UInt8(ascii: begin))
        needsComma = false
        body(&self)
        bytes.append(UInt8(ascii: end))
        needsComma = true
    }

    private mutating func write(key: String) {
        write(key)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func write(_ string: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        if string.utf8.contains(where: Self.isEscaped) {
            for byte in string.utf8 { write(escaping: byte) }
        } else {
            bytes += string.utf8
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        switch byte {
        case ..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): true
        default: false
        }
    }

    private mutating func write(escaping byte: UInt8) {
        switch byte {
        // Slashes are escaped as by JSONEncoder, which wrote the text in older versions.
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
            bytes += [UInt8(ascii: "\\"), byte]
        case 0x08: bytes += #"\b"#.utf8
        case 0x09: bytes += #"\t"#.utf8
        case 0x0A: bytes += #"\n"#.utf8
        case 0x0C: bytes += #"\f"#.utf8
        case 0x0D: bytes += #"\r"#.utf8
        case ..<0x20:
            bytes += (byte < 0x10 ? #"\u000"# : #"\u00"#).utf8
            bytes += String(byte, radix: 16).utf8
        default: bytes.append(byte)
        }
    }
}
