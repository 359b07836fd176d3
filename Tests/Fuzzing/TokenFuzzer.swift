import FoundationEssentials
import RecordStackModel

private let keyset: Keyset = {
    // The model contains the single entity of the fuzzers.
    let model = try! ManagedObjectModel(entities: [Thing.entityDescription])
    return Keyset(
        StoreRequest(entity: 0, sort: [SortKey<Thing>.ascending(\.name).term]), model: model,
        store: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
}()

/// Reads each text as a page token, and checks that a token made from its bytes reads back the same
/// values.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzToken(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = fuzzedBytes(start, count)
    if let token = PageToken(String(decoding: bytes, as: UTF8.self)) { read(token) }
    let values: [StoredValue] = [
        .text(String(decoding: bytes, as: UTF8.self)),
        .integer(Int64(truncatingIfNeeded: bytes.hashValue)),
    ]
    let token = keyset.token(Keyset.Position(values: values, isInclusive: count % 2 == 0))
    requireFuzzed((try? keyset.position(of: token))?.values == values, "\(token)")
    return 0
}

private func read(_ token: PageToken) {
    do {
        let position = try keyset.position(of: token)
        _ = keyset.requests(from: position, backwards: false)
    } catch {
        requireFuzzed("\(error)".utf8.count < 2_000, "\(error)")
    }
}
