import Foundation
import RecordStackModel
import RecordStackSQLite

private let path = "/tmp/recordstack-fuzz-\(getpid())"
// The model contains the single entity of the fuzzers.
private let model = try! ManagedObjectModel(entities: [Thing.entityDescription])

/// Opens each file as a store, checks it, leases keys and reads everything.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFile(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = fuzzedBytes(start, count)
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    guard (try? Data(bytes).write(to: URL(fileURLWithPath: path))) != nil else { return 0 }
    let options = StoreOptions(busyTimeout: 0.1, sqlDebugLevel: .off)
    do {
        let store = try SQLiteStore(at: .file(path), model: model, options: options)
        defer { try? store.close() }
        tolerate { _ = try store.problems() }
        tolerate { _ = try store.leaseKeys(hierarchy: 0, count: 3) }
        tolerate { _ = try store.leaseIncarnation(hierarchy: 0, after: 0) }
        tolerate {
            let reader = try store.reader()
            defer { reader.end() }
            try reader.beginTransaction()
            try reader.rows(StoreRequest(entity: 0), into: Rows())
            _ = try reader.count(StoreRequest(entity: 0))
        }
    } catch {
        requireFuzzed(error is RecordStackError, "\(error)")
    }
    return 0
}

private func tolerate(_ body: () throws -> Void) {
    do { try body() } catch { requireFuzzed(error is RecordStackError, "\(error)") }
}

private final class Rows: RowSink {
    func row(_ cells: borrowing RowCells, key: Int64, version: RowVersion, entity: Int) throws {
        _ = String.read(cells, at: 0)
        _ = Int.read(cells, at: 1)
        _ = Double.read(cells, at: 2)
        _ = cells.takeUnexpectedSlot()
    }
}
