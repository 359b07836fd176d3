import RecordStackModel

extension JSONError {
    /// The way to the fault, for a message: ` at rows.2.name`, or nothing where it is in no value.
    func `where`(in text: UnsafeRawBufferPointer) -> String {
        let path = path(in: text)
        return path.isEmpty ? "" : " at \(path)"
    }

    /// The keys and the indexes that lead to the fault, divided by dots, and cut where they are long. Reads the text again as far as that.
    func path(in text: UnsafeRawBufferPointer) -> String {
        var way = JSONWay()
        var scanner = JSONScanner(text)
        while scanner.offset < position.offset, let token = try? scanner.next(),
            token != .endOfInput
        {
            way.pass(token, key: token == .key ? scanner.string : "")
        }
        let before = text.prefix(position.offset).last { !Self.space.contains($0) }
        if before == UInt8(ascii: ",") || before == UInt8(ascii: "[") { way.goOn() }
        return way.text
    }

    private static var space: [UInt8] { [0x20, 0x09, 0x0A, 0x0D] }
}

/// The open arrays and objects of a text, and where in each of them its reader is.
private struct JSONWay {
    private enum Step {
        /// In an object, at the value of a key; nil before there is a key.
        case key(String?)
        /// In an array, at an element.
        case index(Int)
    }

    private var steps: [Step] = []

    mutating func pass(_ token: JSONToken, key: String) {
        switch token {
        case .key: steps[steps.count - 1] = .key(key)
        case .endObject, .endArray: steps.removeLast()
        default:
            if case .index(let index)? = steps.last { steps[steps.count - 1] = .index(index + 1) }
            if token == .beginObject { steps.append(.key(nil)) }
            if token == .beginArray { steps.append(.index(-1)) }
        }
    }

    /// Goes to the next element, or to a key that is not read yet.
    mutating func goOn() {
        switch steps.last {
        case .index(let index)?: steps[steps.count - 1] = .index(index + 1)
        case .key?: steps[steps.count - 1] = .key(nil)
        case nil: break
        }
    }

    var text: String {
        steps.compactMap { step in
            switch step {
            case .key(let key): key
            case .index(let index): index < 0 ? nil : "\(index)"
            }
        }.pathExcerpt
    }
}
