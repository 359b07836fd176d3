import FoundationEssentials
import RecordStackModel

/// A value of a source that does not convert, for a message.
struct UnfitValue {
    enum Reason {
        /// A text that replaces the description of the accepted values.
        case instead(String)
        /// A text that locates the error inside the value.
        case inside(String)
    }

    fileprivate static let tooDeep =
        "which is too deep: it has more than \(JSONDepth.most) arrays and objects inside of one another"

    /// The value as text.
    let found: String
    var reason: Reason?

    /// Returns the message after the property's name.
    ///
    /// - Parameter expectation: a description of the accepted values.
    func message(_ expectation: String) -> String {
        switch reason {
        case nil: "is \(found), not \(expectation)."
        case .instead(let text): "is \(found), \(text)."
        case .inside(let text): "is \(found), not \(expectation): \(text)."
        }
    }
}

extension ImportMapping.Attribute {
    /// Returns the reason why a value does not convert.
    func unfit(_ value: ImportValue) -> UnfitValue {
        UnfitValue(found: value.excerpt, reason: reason(value))
    }

    private func reason(_ value: ImportValue) -> UnfitValue.Reason? {
        if conversion.isText {
            if value.isTooDeep { return .instead(UnfitValue.tooDeep) }
            return description.fault(in: value).map { .inside($0) }
        }
        switch value {
        case .number(let text), .string(let text):
            guard JSONNumber.reading(text, { _ in true }) != nil else { return nil }
            return isTooLarge(text) ? .instead("which is too large for \(expectation)") : nil
        default: return nil
        }
    }

    private func isTooLarge(_ text: String) -> Bool {
        guard let number = Double(text) else { return false }
        return switch conversion {
        case .double: !number.isFinite
        case .stored(as: .double):
            description.typeName == "Float"
                ? number.magnitude > Double(Float.greatestFiniteMagnitude) : !number.isFinite
        // Text for an integer has only digits.
        case .integer, .unsigned: number.magnitude >= 0x1p63 && number.isWhole
        case .stored(as: .integer):
            number.isWhole && (largestInteger.map { number > $0 } ?? (number.magnitude >= 0x1p63))
        case .decimal: number.magnitude > 3.41e165
        default: false
        }
    }

    /// The largest value of an integer type of the standard library; nil for another type.
    private var largestInteger: Double? {
        switch description.typeName {
        case "Int8": Double(Int8.max)
        case "Int16": Double(Int16.max)
        case "Int32": Double(Int32.max)
        case "UInt8": Double(UInt8.max)
        case "UInt16": Double(UInt16.max)
        case "UInt32": Double(UInt32.max)
        default: nil
        }
    }
}

extension Double {
    fileprivate var isWhole: Bool { !isFinite || rounded() == self }
}

extension AttributeDescription {
    /// Returns the error inside a value of a Codable type, and its path; nil if it is unknown.
    fileprivate func fault(in value: ImportValue) -> String? {
        guard let error = decodingError(of: value.encodedJSON) else { return nil }
        switch error {
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            if context.codingPath.isEmpty { return nil }
            let found = context.codingPath.reduce(value as ImportValue?) { $0?[$1] }
            return "\(found?.excerpt ?? "the value") at \(path(context.codingPath)) is not "
                + Wording.article("\(type)")
        case .keyNotFound(let key, let context):
            return "\(path(context.codingPath + [key])) is missing"
        case .dataCorrupted(let context):
            if context.codingPath.isEmpty { return nil }
            return "at \(path(context.codingPath)): \(context.debugDescription.cut(to: 200))"
        @unknown default: return nil
        }
    }

    private func path(_ keys: [any CodingKey]) -> String {
        ([name] + keys.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }).pathExcerpt
    }
}

extension ImportValue {
    /// Whether the value, or the JSON in a text, is nested too deeply for a Codable type.
    fileprivate var isTooDeep: Bool {
        if case .string(let text) = self { return JSONDepth.exceeds(JSONDepth.most, in: text) }
        return isDeeper(than: JSONDepth.most)
    }

    /// The value at a step of a coding path.
    fileprivate subscript(key: any CodingKey) -> ImportValue? {
        if case .array = self, let index = key.intValue { return self[index] }
        return self[key.stringValue]
    }
}
