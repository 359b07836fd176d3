import Foundation
import RecordStackImport

/// The results of Foundation's parsers, and their known differences from the RFC.
///
/// The parsers accept other texts, and they also read accepted texts differently:
///
/// - Strings and keys lose a U+FEFF at their beginning and after an escape.
/// - Keys that differ only in normalization are one key.
/// - JSONDecoder takes the first value of a repeated key, and JSONSerialization the last.
/// - JSONSerialization reads numbers with many digits or a large exponent as decimal numbers, whose
///   Double is not always the nearest one.
enum FoundationJSON {
    /// The differences that trials have found. The tests allow each of these, and no other.
    enum Difference: String {
        /// Both parsers accept `[1,]` and `{"a":1,}`.
        case trailingComma
        /// Text that looks like UTF-16 or UTF-32, by its mark or by its zero bytes, is converted.
        case otherEncoding
        /// A number beyond the largest Double is refused. The scanner returns it as infinite.
        case infiniteNumber
        /// JSONDecoder refuses a number that is closer to 0 than to any other Double, and a 0 with
        /// an exponent.
        case vanishingNumber
    }

    static func serialization(_ bytes: [UInt8]) -> Any? {
        try? JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed])
    }

    static func decoderAccepts(_ bytes: [UInt8]) -> Bool {
        DecodedJSON.read(bytes) != nil
    }

    /// Returns the reason why Foundation may disagree with the RFC about a text, or nil if it must
    /// agree.
    static func difference(_ bytes: [UInt8], _ tree: JSONTree?) -> Difference? {
        if let tree {
            if holdsNumber(tree, { $1.isInfinite }) { return .infiniteNumber }
            return holdsNumber(tree, vanishes) ? .vanishingNumber : nil
        }
        if looksLikeOtherEncoding(bytes) { return .otherEncoding }
        return JSONOracle.read(bytes, .trailingCommas) != nil ? .trailingComma : nil
    }

    private static func looksLikeOtherEncoding(_ bytes: [UInt8]) -> Bool {
        bytes.prefix(4).contains(0) || bytes.starts(with: [0xFF, 0xFE])
            || bytes.starts(with: [0xFE, 0xFF])
    }

    private static func vanishes(_ raw: String, _ double: Double) -> Bool {
        double == 0 && raw.contains { ("1"..."9").contains($0) }
    }

    private static func holdsNumber(
        _ tree: JSONTree, _ matches: (String, Double) -> Bool
    ) -> Bool {
        switch tree {
        case .number(let raw, _, _, let bits): matches(raw, Double(bitPattern: bits))
        case .array(let elements): elements.contains { holdsNumber($0, matches) }
        case .object(let members): members.values.contains { holdsNumber($0, matches) }
        default: false
        }
    }

    /// True if Foundation's value is the same. Keys that Swift's `==` treats as equal count as one
    /// key, as in Foundation.
    static func same(_ tree: JSONTree, _ value: Any) -> Bool {
        switch tree {
        case .null: return value is NSNull
        case .bool(let flag): return (value as? Bool) == flag
        case .string(let bytes): return (value as? String).map(unmarked) == unmarked(string(bytes))
        case .number: return sameNumber(tree, value)
        case .array(let elements):
            guard let others = value as? [Any], others.count == elements.count else { return false }
            return zip(elements, others).allSatisfy { same($0, $1) }
        case .object(let members):
            guard let others = value as? [String: Any] else { return false }
            let byKey = Dictionary(
                others.map { (unmarked($0.key), $0.value) }, uniquingKeysWith: { $1 })
            let names = Set(members.keys.map { unmarked(string($0)) })
            guard names == Set(byKey.keys) else { return false }
            // If keys were merged, it is unspecified which of their values is left.
            return names.count < members.count
                || members.allSatisfy { name, member in
                    byKey[unmarked(string(name))].map { same(member, $0) } == true
                }
        }
    }

    private static func string(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self)
    }

    /// Removes every U+FEFF of a string, because Foundation loses them at the beginning and after
    /// an escape.
    static func unmarked(_ text: String) -> String {
        var rest = text
        rest.unicodeScalars.removeAll { $0 == "\u{FEFF}" }
        return rest
    }

    private static func sameNumber(_ tree: JSONTree, _ value: Any) -> Bool {
        guard case .number(_, let signed, let unsigned, let bits) = tree,
            let number = value as? NSNumber
        else { return false }
        if let signed { return number.int64Value == signed }
        if let unsigned { return number.uint64Value == unsigned }
        let double = Double(bitPattern: bits)
        guard number is NSDecimalNumber else { return number.doubleValue == double }
        return abs(number.doubleValue - double) <= abs(double) * 2e-15
    }
}
