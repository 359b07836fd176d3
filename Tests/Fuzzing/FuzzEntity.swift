import RecordStackModel

/// The entity of the fuzzers that need no objects.
final class Thing: ManagedEntity {
    let name = ""
    let number = 0
    let price = 0.5
    let objectID: ManagedObjectID

    init(id: ManagedObjectID) {
        objectID = id
    }

    static let entityDescription = EntityDescription(
        name: "Thing", type: Thing.self,
        properties: [
            .attribute(\Thing.name, "name"), .attribute(\Thing.number, "number"),
            .attribute(\Thing.price, "price"),
        ])
}

/// Copies the input of libFuzzer.
func fuzzedBytes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
    Array(UnsafeBufferPointer(start: start, count: count))
}

/// Crashes the program if a condition is false, because libFuzzer recognizes a finding by a crash.
func requireFuzzed(_ condition: Bool, _ message: String) {
    if !condition { fatalError(message) }
}
