import RecordStack

/// Walks the tags of all persons in turn. The persons are in memory already.
final class OurLinkWalk: Contender {
    let name = "ours"
    private let stack: ContextStack
    private let count: Int
    private var context: ManagedObjectContext?
    private var people: [Graph.Person] = []

    init(_ lab: Lab) throws {
        stack = try Graph.stack(at: lab.ourGraphStore())
        count = lab.scale.persons
    }

    func prepare() throws {
        let context = stack.newContext()
        people = try Graph.Person.find(limit: count, in: context)
        self.context = context
    }

    func run() throws {
        var sum = 0
        for person in people {
            for tag in person.tags { sum &+= tag.number }
        }
        guard sum > 0 else { throw Failure("ours met no tag") }
    }

    func finish() throws {
        people = []
        context = nil
    }

    func fingerprint() throws -> Fingerprint {
        try prepare()
        var fingerprint = Fingerprint()
        for person in people {
            for tag in person.tags {
                fingerprint.add(
                    TagRow(key: 0, name: tag.name, number: tag.number), of: person.email)
            }
        }
        try finish()
        return fingerprint
    }
}
