import FoundationEssentials
package import RecordStackModel

extension ImportValue {
    /// What a value encodes. Dates and data keep being such, whatever the formats of the attributes that take them.
    /// - Throws: what encoding throws.
    package init(encoding value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            let bits = date.timeIntervalSinceReferenceDate.bitPattern
            try container.encode("\(Self.dateMark)\(bits)")
        }
        encoder.dataEncodingStrategy = .custom { data, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(Self.dataMark + data.base64EncodedString())
        }
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        let data = try encoder.encode(value)
        self = try data.withUnsafeBytes { try ImportValue(json: $0) }.unmarked
    }

    /// No text of a program begins like this: with bytes that mean nothing, and a word of ours.
    private static let dateMark = "\u{0}\u{1}RecordStack date "
    private static let dataMark = "\u{0}\u{1}RecordStack data "

    private var unmarked: ImportValue {
        switch self {
        case .array(let values): return .array(values.map(\.unmarked))
        case .object(let members): return .object(members.mapValues(\.unmarked))
        case .string(let text) where text.hasPrefix("\u{0}\u{1}"):
            if text.hasPrefix(Self.dateMark), let bits = UInt64(text.dropFirst(Self.dateMark.count))
            {
                return .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits)))
            }
            if text.hasPrefix(Self.dataMark) {
                return Data(base64Encoded: String(text.dropFirst(Self.dataMark.count)))
                    .map { .data($0) } ?? self
            }
            return self
        default: return self
        }
    }
}
