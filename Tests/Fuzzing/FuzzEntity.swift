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

/// What libFuzzer has made up.
func fuzzedBytes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
    Array(UnsafeBufferPointer(start: start, count: count))
}

/// Ends the program, which is how libFuzzer hears of a finding.
func requireFuzzed(_ condition: Bool, _ message: String) {
    if !condition { fatalError(message) }
}
