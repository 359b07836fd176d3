import RecordStackModel

/// The value in which a step of a path was not found, for a message.
enum JSONFinding {
    case object(FoundKeys)
    case array(count: Int)
    /// A value that is neither an object nor an array.
    case value(JSONToken)

    var text: String {
        switch self {
        case .object(let keys):
            keys.isEmpty ? "an empty object" : "an object with the keys \(keys.text)"
        case .array(let count): "an array of \(count)"
        case .value(let token): token.noun
        }
    }
}

/// The first keys of an object, cut so that a message stays short.
struct FoundKeys {
    private var keys: [String] = []
    private var areMore = false
    private static var most: Int { 10 }

    init() {}

    init(_ keys: some Sequence<String>) { for key in keys { add(key) } }

    var isEmpty: Bool { keys.isEmpty }

    mutating func add(_ key: @autoclosure () -> String) {
        if keys.count == Self.most { return areMore = true }
        keys.append(key().cut(to: 40))
    }

    var text: String { (keys + (areMore ? ["…"] : [])).joined(separator: ", ") }
}

extension JSONFinding {
    /// Reads the first value of a text.
    init(in bytes: UnsafeRawBufferPointer) throws {
        var scanner = JSONScanner(bytes)
        let token = try scanner.next()
        switch token {
        case .beginObject:
            var keys = FoundKeys()
            while try scanner.next() == .key {
                keys.add(scanner.string)
                _ = try scanner.skipValue()
            }
            self = .object(keys)
        case .beginArray:
            var count = 0
            while true {
                let element = try scanner.next()
                if element == .endArray { break }
                if element.beginsContainer { _ = try scanner.skipContainer() }
                count += 1
            }
            self = .array(count: count)
        default: self = .value(token)
        }
    }
}
