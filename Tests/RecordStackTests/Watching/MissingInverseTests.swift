import RecordStack
import RecordStackTesting
import Synchronization
import Testing

/// Relationships that look like the two ends of one relationship.
@Suite("Warnings about missing inverses") struct MissingInverseTests {
    private func warnings(_ entities: ManagedObject.Type...) throws -> [String] {
        let told = Mutex<[String]>([])
        var options = StoreOptions()
        options.watching.warnings = true
        options.watching.handler = { warning in
            if warning.kind == .missingInverse { told.withLock { $0.append(warning.message) } }
        }
        try ContextStack(entities: entities, at: .inMemory, options: options).close()
        return told.withLock { $0 }
    }

    @Test func `a stack warns once about two entities related without an inverse`() throws {
        let told = try warnings(UndeclaredZoo.Keeper.self)
        #expect(told.count == 1)
        #expect(
            told.first?.contains("Keeper.cages and Cage.keeper refer to each other's entity")
                == true)
        #expect(
            told.first?.contains("@Relationship(inverse: \\Cage.keeper) before Keeper.cages")
                == true)
    }

    @Test func `relationships parent and children without an inverse cause a warning`() throws {
        #expect(try warnings(ZooNode.self).count == 1)
    }

    @Test func `a declared inverse, oneWay or a single relationship causes no warning`() throws {
        #expect(try warnings(Person.self, Dog.self).isEmpty)
        #expect(try warnings(DeliberateZoo.Keeper.self).isEmpty)
        #expect(try warnings(LoneZoo.Keeper.self).isEmpty)
    }
}

private enum UndeclaredZoo {
    @Entity final class Keeper: ManagedObject {
        var cages: ToMany<Cage>
        @Relationship var favourite: Cage?
    }

    @Entity final class Cage: ManagedObject {
        @Relationship var keeper: Keeper?
    }
}

private enum DeliberateZoo {
    @Entity final class Keeper: ManagedObject {
        @Relationship(.oneWay) var favourite: Cage?
    }

    @Entity final class Cage: ManagedObject {
        @Relationship var keeper: Keeper?
    }
}

private enum LoneZoo {
    @Entity final class Keeper: ManagedObject {
        @Relationship var best: Keeper?
        @Relationship var cage: Cage?
    }

    @Entity final class Cage: ManagedObject {
        var name: String = ""
    }
}

@Entity private final class ZooNode: ManagedObject {
    @Relationship var parent: ZooNode?
    var children: ToMany<ZooNode>
}
