import FoundationEssentials
import RecordStackModel

/// A value of any shape, whose decoding goes as deep as its text.
private indirect enum Shape: CodableAttributeValue {
    case number(Double)
    case text(String)
    case list([Shape])
    case object([String: Shape])

    static let placeholder = Shape.list([])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([Shape].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: Shape].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        case .object(let object): try container.encode(object)
        }
    }
}

/// Reads each text as values of Codable types. What is read is written, and then reads as the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCodable(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let stored = StoredValue.text(String(decoding: fuzzedBytes(start, count), as: UTF8.self))
    check([Int].self, stored)
    check([String: Double].self, stored)
    check([[Date]].self, stored)
    check([Decimal].self, stored)
    check([String].self, stored)
    check(Shape.self, stored)
    return 0
}

private func check<Value: AttributeValue>(_ type: Value.Type, _ stored: StoredValue) {
    guard let value = Value(storedValue: stored) else { return }
    let written = value.storedValue
    guard !written.isNull, let again = Value(storedValue: written) else { return }
    requireFuzzed(again.storedValue == written, "\(stored) is written as \(written)")
}
