import FoundationEssentials
import RecordStackModel

/// Reads each text as values of Codable types, and checks that each value reads the same after it
/// is written.
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
