import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

@Entity final class Berth: ManagedObject {
    @Attribute(.unique) var number: Int
    @Attribute var name: String = ""
    @Attribute var note: String?
    @Attribute var count: Int = 0
    @Attribute(.range(0...)) var depth: Int = 0
    @Relationship(inverse: \Harbour.berths) var harbour: Harbour?
    @Relationship(inverse: \Buoy.berths) var buoys: ToMany<Buoy>
    @Relationship(inverse: \Buoy.queue) var line: OrderedToMany<Buoy>
}

@Entity final class Harbour: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship var berths: ToMany<Berth>
}

@Entity final class Buoy: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship var berths: ToMany<Berth>
    @Relationship var queue: ToMany<Berth>
}

/// The way in which the other side's changes reach the store, and whether this side has noticed
/// them.
enum Rival: CaseIterable, Sendable {
    /// Another context of the stack saves, and this context merges that save before its own.
    case merged
    /// Another stack on the file saves, and nothing here notices. The rows turn out to be stale
    /// when they are written.
    case stale
    /// The parent context has unsaved changes.
    case parent

    /// Makes a change on the other side.
    func act(
        in stack: ContextStack, other: ContextStack, parent: ManagedObjectContext,
        _ body: @escaping @Sendable (ManagedObjectContext) throws -> Void
    ) async throws {
        switch self {
        case .merged: try await stack.saveWithBlock { try body($0) }
        case .stale: try await other.saveWithBlock { try body($0) }
        case .parent: try body(parent)
        }
    }
}

/// A berth that two sides have read.
struct Dispute {
    let test: TestStack
    let other: ContextStack
    let rival: Rival
    let parent: ManagedObjectContext
    let context: ManagedObjectContext
    let berth: Berth
    let id: ManagedObjectID

    init(_ rival: Rival) async throws {
        self.rival = rival
        test = try TestStack(
            entities: [Berth.self, Harbour.self, Buoy.self], at: .temporaryFile,
            options: .hearingOfNobody)
        try test.seed { context in
            for name in ["base", "ours", "theirs"] {
                try Harbour.create(in: context, name: name)
                try Buoy.create(in: context, name: name)
            }
            let berth = try Berth.create(in: context, number: 1)
            (berth.name, berth.note, berth.count) = ("base", "base", 10)
            berth.harbour = try Harbour.findFirst(by: \.name, "base", in: context)
            let base = try #require(try Buoy.findFirst(by: \.name, "base", in: context))
            berth.buoys.insert(base)
            berth.line.append(base)
        }
        other = try ContextStack(
            for: Berth.self, Harbour.self, Buoy.self, at: .file(#require(test.path)),
            options: .hearingOfNobody)
        parent = test.stack.newContext(name: "parent")
        context = rival == .parent ? parent.newChild() : parent
        berth = try #require(try Berth.findFirst(in: context))
        // Loads the values, as a program does before it changes an object.
        _ = (berth.name, berth.harbour?.name, berth.buoys.count, berth.line.count)
        id = berth.objectID
    }

    /// Makes a change on the other side.
    func there(_ body: @escaping @Sendable (Berth, ManagedObjectContext) throws -> Void)
        async throws
    {
        let id = id
        try await rival.act(in: test.stack, other: other, parent: parent) {
            try body(try Berth.existing(id, in: $0), $0)
        }
    }

    func save(_ policy: MergePolicy) async throws {
        try await context.save(mergePolicy: policy)
        // Without pending changes, both stacks show what the file has.
        #expect(!context.hasChanges && !parent.hasChanges)
    }

    /// Returns a value of the stored berth, or nil if the berth is gone.
    func stored<Value>(_ value: (Berth) -> Value) throws -> Value? {
        let context = other.newContext()
        return try withExtendedLifetime(context) { try Berth.findFirst(in: context).map(value) }
    }
}

/// The outcome for each kind of property under each policy.
@Suite("Merge policies") struct MergePolicyTests {
    enum Outcome { case ours, theirs, both, refused, gone }

    static let policies: [(name: String, policy: MergePolicy)] = [
        ("error", .error), ("storeTrump", .storeTrump), ("objectTrump", .objectTrump),
        ("overwrite", .overwrite), ("rollback", .rollback),
    ]

    static func policy(_ name: String) -> MergePolicy {
        policies.first { $0.name == name }!.policy
    }

    private static func attempt(
        _ dispute: Dispute, _ policy: String
    ) async throws -> RecordStackError? {
        do {
            try await dispute.save(Self.policy(policy))
            return nil
        } catch let error as RecordStackError {
            return error
        }
    }

    // MARK: Both sides

    private static let both: [String: String?] = [
        "error": nil, "storeTrump": "theirs", "objectTrump": "ours", "overwrite": "ours",
        "rollback": "theirs",
    ]

    @Test(arguments: policies.map(\.name), Rival.allCases)
    func `each merge policy resolves an attribute that two contexts changed`(
        policy: String, rival: Rival
    ) async throws {
        let dispute = try await Dispute(rival)
        dispute.berth.name = "ours"
        try await dispute.there { berth, _ in berth.name = "theirs" }
        let error = try await Self.attempt(dispute, policy)
        guard let wanted = Self.both[policy]! else {
            #expect(error?.code == .conflict)
            #expect(dispute.berth.name == "ours")
            return
        }
        #expect(error == nil)
        #expect(dispute.berth.name == wanted)
        #expect(try dispute.stored(\.name) == wanted)
        // A resolved conflict leaves no change, and the next edit starts from the stored value.
        dispute.berth.name = "next"
        try await dispute.context.save()
        #expect(try dispute.stored(\.name) == "next")
    }

    @Test(arguments: policies.map(\.name), Rival.allCases)
    func `each merge policy resolves a to-one that two contexts changed`(
        policy: String, rival: Rival
    ) async throws {
        let dispute = try await Dispute(rival)
        dispute.berth.harbour = try Harbour.findFirst(by: \.name, "ours", in: dispute.context)
        try await dispute.there { berth, context in
            berth.harbour = try Harbour.findFirst(by: \.name, "theirs", in: context)
        }
        let error = try await Self.attempt(dispute, policy)
        guard let wanted = Self.both[policy]! else {
            #expect(error?.code == .conflict && dispute.berth.harbour?.name == "ours")
            return
        }
        #expect(error == nil)
        #expect(dispute.berth.harbour?.name == wanted)
        #expect(try dispute.stored { $0.harbour?.name } == wanted)
        let harbours = try Harbour.find(in: dispute.context)
        for harbour in harbours {
            #expect(harbour.berths.count == (harbour.name == wanted ? 1 : 0))
        }
    }

    @Test(arguments: policies.map(\.name), Rival.allCases)
    func `each merge policy resolves a unique value that two contexts changed`(
        policy: String, rival: Rival
    ) async throws {
        let dispute = try await Dispute(rival)
        dispute.berth.number = 2
        try await dispute.there { berth, _ in berth.number = 3 }
        let error = try await Self.attempt(dispute, policy)
        guard let wanted = Self.both[policy]! else {
            #expect(error?.code == .conflict && dispute.berth.number == 2)
            return
        }
        let number = wanted == "ours" ? 2 : 3
        #expect(error == nil && dispute.berth.number == number)
        #expect(try dispute.stored(\.number) == number)
        // The discarded value is free.
        try Berth.create(in: dispute.context, number: 5 - number)
        try await dispute.context.save()
    }

    /// Members are a set. The additions and removals of both sides count.
    @Test(arguments: policies.map(\.name), Rival.allCases)
    func `two contexts' changes of a to-many relationship are both kept`(
        policy: String, rival: Rival
    ) async throws {
        let dispute = try await Dispute(rival)
        dispute.berth.buoys.insert(
            try #require(try Buoy.findFirst(by: \.name, "ours", in: dispute.context)))
        try await dispute.there { berth, context in
            berth.buoys.insert(try #require(try Buoy.findFirst(by: \.name, "theirs", in: context)))
            berth.buoys.remove(try #require(try Buoy.findFirst(by: \.name, "base", in: context)))
        }
        #expect(try await Self.attempt(dispute, policy) == nil)
        let wanted: Set = ["ours", "theirs"]
        #expect(try dispute.stored { Set($0.buoys.map(\.name)) } == wanted)
        // The context shows another stack's saves when the object is read again.
        if rival == .stale { dispute.context.refreshAllObjects() }
        #expect(Set(dispute.berth.buoys.map(\.name)) == wanted)
    }

    @Test(arguments: policies.map(\.name), Rival.allCases)
    func `two contexts' changes of an ordered relationship are both kept`(
        policy: String, rival: Rival
    ) async throws {
        let dispute = try await Dispute(rival)
        dispute.berth.line.insert(
            try #require(try Buoy.findFirst(by: \.name, "ours", in: dispute.context)), at: 0)
        try await dispute.there { berth, context in
            berth.line.append(try #require(try Buoy.findFirst(by: \.name, "theirs", in: context)))
        }
        #expect(try await Self.attempt(dispute, policy) == nil)
        let wanted = ["ours", "base", "theirs"]
        #expect(try dispute.stored { $0.line.map(\.name) } == wanted)
        if rival == .stale { dispute.context.refreshAllObjects() }
        #expect(dispute.berth.line.map(\.name) == wanted)
    }

    /// A policy may take one side's row as a whole. Join rows are not part of the row.
    @Test(arguments: policies.map(\.name), Rival.allCases)
    func `two contexts' join rows are kept even if an attribute conflicts`(
        policy: String, rival: Rival
    ) async throws {
        let dispute = try await Dispute(rival)
        let ours = try #require(try Buoy.findFirst(by: \.name, "ours", in: dispute.context))
        dispute.berth.name = "ours"
        dispute.berth.buoys.insert(ours)
        dispute.berth.line.append(ours)
        try await dispute.there { berth, context in
            let theirs = try #require(try Buoy.findFirst(by: \.name, "theirs", in: context))
            berth.name = "theirs"
            berth.buoys.insert(theirs)
            berth.line.insert(theirs, at: 0)
        }
        let error = try await Self.attempt(dispute, policy)
        guard let wanted = Self.both[policy]! else {
            #expect(error?.code == .conflict)
            #expect(dispute.berth.buoys.contains(ours) && dispute.berth.line.contains(ours))
            return
        }
        #expect(error == nil)
        if rival == .stale { dispute.context.refreshAllObjects() }
        let shown = { (berth: Berth) in
            [berth.name] + berth.buoys.map(\.name).sorted() + berth.line.map(\.name)
        }
        let all = [wanted, "base", "ours", "theirs", "theirs", "base", "ours"]
        #expect(try dispute.stored(shown) == all)
        #expect(shown(dispute.berth) == all)
    }

    // MARK: One side, or different properties

    @Test(arguments: policies.map(\.name), Rival.allCases)
    func `each merge policy saves changes of an object unchanged elsewhere`(
        policy: String, rival: Rival
    ) async throws {
        let dispute = try await Dispute(rival)
        let berth = dispute.berth
        let ours = try #require(try Buoy.findFirst(by: \.name, "ours", in: dispute.context))
        (berth.name, berth.number) = ("ours", 2)
        berth.harbour = try Harbour.findFirst(by: \.name, "ours", in: dispute.context)
        berth.buoys.insert(ours)
        berth.line.append(ours)
        #expect(try await Self.attempt(dispute, policy) == nil)
        #expect(try dispute.stored { [$0.name, $0.harbour?.name] } == ["ours", "ours"])
        #expect(try dispute.stored(\.number) == 2)
        #expect(try dispute.stored { $0.line.map(\.name) } == ["base", "ours"])
        #expect(try dispute.stored { $0.buoys.count } == 2)
    }

    @Test(arguments: policies.map(\.name), Rival.allCases)
    func `each merge policy keeps changes that only another context made`(
        policy: String, rival: Rival
    ) async throws {
        let dispute = try await Dispute(rival)
        try await dispute.there { berth, context in
            let theirs = try #require(try Buoy.findFirst(by: \.name, "theirs", in: context))
            (berth.name, berth.number) = ("theirs", 3)
            berth.harbour = try Harbour.findFirst(by: \.name, "theirs", in: context)
            berth.buoys.insert(theirs)
            berth.line.append(theirs)
        }
        #expect(try await Self.attempt(dispute, policy) == nil)
        #expect(try dispute.stored { [$0.name, $0.harbour?.name] } == ["theirs", "theirs"])
        #expect(try dispute.stored(\.number) == 3)
        #expect(try dispute.stored { $0.line.map(\.name) } == ["base", "theirs"])
        #expect(try dispute.stored { $0.buoys.count } == 2)
    }

    @Test(arguments: policies.map(\.name), Rival.allCases)
    func `only policies rollback and overwrite discard edits not in conflict`(
        policy: String, rival: Rival
    ) async throws {
        let dispute = try await Dispute(rival)
        dispute.berth.name = "ours"
        try await dispute.there { berth, _ in berth.note = "theirs" }
        #expect(try await Self.attempt(dispute, policy) == nil)
        // A parent's change may be older than what its child has seen.
        let isWhole = rival != .parent
        let name = policy == "rollback" && isWhole ? "base" : "ours"
        // A merged value is part of what the object shows, and that is what the policy writes.
        let note = policy == "overwrite" && rival == .stale ? "base" : "theirs"
        #expect(try dispute.stored { [$0.name, $0.note] } == [name, note])
        #expect([dispute.berth.name, dispute.berth.note] == [name, note])
    }

    @Test(arguments: Rival.allCases)
    func `storeTrump and objectTrump change only the properties in conflict`(rival: Rival)
        async throws
    {
        for policy in ["storeTrump", "objectTrump"] {
            let dispute = try await Dispute(rival)
            (dispute.berth.name, dispute.berth.count) = ("ours", 11)
            try await dispute.there { berth, _ in (berth.name, berth.note) = ("theirs", "theirs") }
            #expect(try await Self.attempt(dispute, policy) == nil)
            let name = policy == "storeTrump" ? "theirs" : "ours"
            for berth in [dispute.berth, try #require(try Berth.findFirst(in: dispute.context))] {
                #expect(berth.name == name && berth.note == "theirs" && berth.count == 11)
            }
            #expect(try dispute.stored { [$0.name, $0.note] } == [name, "theirs"])
            #expect(try dispute.stored(\.count) == 11)
        }
    }
}
