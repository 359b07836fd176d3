import RecordStackModel

extension JSONError {
    /// Returns the path to the error for a message, such as ` at rows.2.name`.
    ///
    /// Empty if the error is not inside an array or object.
    func `where`(in text: UnsafeRawBufferPointer) -> String {
        let path = path(in: text)
        return path.isEmpty ? "" : " at \(path)"
    }

    /// Returns the keys and indexes that lead to the error, separated by dots.
    ///
    /// A long path is cut. The method reads the text again up to the error.
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

/// The path of a reader in a text: the open arrays and objects, and its position in each.
private struct JSONWay {
    private enum Step {
        /// In an object, at the value of a key; nil before the first key.
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

    /// Moves to the next element, or to a key that is not read yet.
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
