/// **R1** in memory: the memory of the floor's objects and their array, for each object.
final class FloorMemory: Contender {
    let name = "R1"
    private let fetch: FloorFetch

    init(_ lab: Lab) throws {
        fetch = try FloorFetch(lab)
    }

    func run() throws { try fetch.run() }

    /// Returns the bytes of each object. Earlier runs have filled SQLite's page cache.
    func measure() throws -> Double {
        let before = Heap.bytesInUse
        let people = try fetch.fetch()
        let after = Heap.bytesInUse
        return withExtendedLifetime(people) { Double(after - before) / Double(people.count) }
    }

    func fingerprint() throws -> Fingerprint { try fetch.fingerprint() }
}

/// **R2** in memory: R1 and the map.
final class FloorMappedMemory: Contender {
    let name = "R2"
    private let fetch: FloorMappedFetch

    init(_ lab: Lab) throws {
        fetch = try FloorMappedFetch(lab)
    }

    func run() throws { try fetch.run() }

    /// Returns the bytes of each object.
    func measure() throws -> Double {
        let before = Heap.bytesInUse
        let people = try fetch.fetch()
        let after = Heap.bytesInUse
        return withExtendedLifetime(people) { Double(after - before) / Double(people.0.count) }
    }

    func fingerprint() throws -> Fingerprint { try fetch.fingerprint() }
}
