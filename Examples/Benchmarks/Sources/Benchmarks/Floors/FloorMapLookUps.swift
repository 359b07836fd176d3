/// Look-ups of all persons, in random order, in a Dictionary from Int64 to R1 objects.
final class FloorMapLookUps: Contender {
    let name = "Dictionary"
    private let objects: [Int64: FloorPerson]
    private let keys: [Int64]

    init(_ lab: Lab) throws {
        objects = try FloorMappedFetch(lab).fetch().1
        var generator = SplitMix64(seed: 4)
        keys = objects.keys.sorted().shuffled(using: &generator)
    }

    func run() throws {
        var sum = 0
        for key in keys { if let person = objects[key] { sum &+= person.age } }
        guard sum > 0 else { throw Failure("the Dictionary has nobody") }
    }

    func fingerprint() throws -> Fingerprint {
        var fingerprint = Fingerprint()
        for key in keys { if let person = objects[key] { fingerprint.add(person.row) } }
        return fingerprint
    }
}
