import FoundationEssentials

// CAST creates a value of a type that has no literals.
extension FormatResolver {
    func cast(
        _ inner: FormatTerm, to type: String, _ term: FormatTerm, _ scope: FormatScope
    ) throws -> FormatResult {
        let result = try resolve(inner, scope)
        guard let literal = Self.constant(result) else {
            throw problem(
                "CAST makes values of values that are given, not of \(result.typeName) of an object.",
                inner)
        }
        guard let make = Self.casts[type] else {
            throw problem(
                "CAST knows no type \(ValueText.quoted(NearNames.shortened(type)))."
                    + NearNames.hint(type, among: Self.casts.keys.sorted()), term)
        }
        guard let cast = make(literal) else {
            throw problem(
                "\(text(of: inner)), which is \(literal.typeName), makes no \(type).", inner)
        }
        return .literal(cast)
    }

    /// Returns a value that is the same for all objects; nil for any other result.
    private static func constant(_ result: FormatResult) -> FormatLiteral? {
        switch result {
        case .literal(let literal): return literal
        case .value(let value):
            guard let constant = value.operand.constant else { return nil }
            switch (constant, value.type) {
            case (.integer(let number), _): return .number(.integer(number))
            case (.real(let number), .date): return .value(.real(number), .date)
            case (.real(let number), _): return .number(.real(number, digits: nil))
            case (.text(let text), .decimal): return .number(.decimal(text))
            case (.text(let text), _): return .text(text)
            default: return nil
            }
        default: return nil
        }
    }

    private static let casts: [String: @Sendable (FormatLiteral) -> FormatLiteral?] = [
        "NSDate": date, "NSNumber": number, "NSDecimalNumber": decimal, "NSData": data,
        "NSUUID": uuid, "NSString": text, "NSManagedObjectID": objectID,
    ]

    /// Reads a date from seconds since 2001, or from a day or second in ISO 8601 and UTC.
    @Sendable private static func date(_ literal: FormatLiteral) -> FormatLiteral? {
        switch literal {
        case .number(let number): return .value(.storedReal(number.double), .date)
        case .value(_, .date): return literal
        case .text(let text):
            // Foundation also parses 2005-02-30, and texts with trailing characters.
            for style in [Date.ISO8601FormatStyle().year().month().day(), .init()] {
                guard let date = try? style.parse(text), style.format(date) == text else {
                    continue
                }
                return .value(date.storedValue, .date)
            }
            return nil
        default: return nil
        }
    }

    /// Reads a number, also from a text, because infinity has no literal.
    @Sendable private static func number(_ literal: FormatLiteral) -> FormatLiteral? {
        switch literal {
        case .number: literal
        case .value(.real(let seconds), .date): .number(.real(seconds, digits: nil))
        case .text(let text):
            Double(text).flatMap { $0.isNaN ? nil : .number(.real($0, digits: nil)) }
        default: nil
        }
    }

    @Sendable private static func decimal(_ literal: FormatLiteral) -> FormatLiteral? {
        switch literal {
        case .number(let number): return number.decimalText.map { .number(.decimal($0)) }
        case .text(let text):
            if DecimalText.isCanonical(text) { return .number(.decimal(text)) }
            return Decimal(string: text).flatMap { $0.isNaN ? nil : FormatValue($0).literal }
        default: return nil
        }
    }

    /// Reads bytes from hexadecimal digits.
    @Sendable private static func data(_ literal: FormatLiteral) -> FormatLiteral? {
        if case .value(_, .data) = literal { return literal }
        guard case .text(let text) = literal, let bytes = HexText.bytes(of: text) else {
            return nil
        }
        return .value(.blob(bytes), FormatType(.data))
    }

    @Sendable private static func uuid(_ literal: FormatLiteral) -> FormatLiteral? {
        if case .value(_, .uuid) = literal { return literal }
        guard case .text(let text) = literal else { return nil }
        return UUID(uuidString: text).map { .value($0.storedValue, .uuid) }
    }

    @Sendable private static func text(_ literal: FormatLiteral) -> FormatLiteral? {
        if case .text = literal { literal } else { nil }
    }

    @Sendable private static func objectID(_ literal: FormatLiteral) -> FormatLiteral? {
        if case .object = literal { return literal }
        guard case .text(let text) = literal else { return nil }
        return ManagedObjectID(text).map(FormatLiteral.object)
    }
}

extension FilterOperand {
    /// The operand's value, if it does not depend on an object; nil otherwise.
    var constant: StoredValue? {
        switch self {
        case .value(let value): return value
        case .arithmetic(let operation, let a, let b):
            guard let a = a.constant, let b = b.constant else { return nil }
            return operation.apply(a, b, isDecimal: false)
        case .function(let function, let operand):
            return operand.constant.map(function.apply)
        case .path, .aggregate: return nil
        }
    }
}

/// Converts bytes to hexadecimal text and back.
package enum HexText {
    package static func text(of bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var result: [UInt8] = []
        result.reserveCapacity(2 * bytes.count)
        for byte in bytes { result += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
        return String(decoding: result, as: UTF8.self)
    }

    package static func bytes(of text: String) -> [UInt8]? {
        let digits: [UInt8] = text.utf8.compactMap(digit)
        guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { (index: Int) -> UInt8 in
            digits[index] << 4 | digits[index + 1]
        }
    }

    private static func digit(_ letter: UInt8) -> UInt8? {
        Character(Unicode.Scalar(letter)).hexDigitValue.map { UInt8($0) }
    }
}
