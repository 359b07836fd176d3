import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

/// Relationships whose two sides are declared at different levels of a hierarchy.
@MainActor
@Suite("Inverses in entity hierarchies") struct InheritedInverseTests {
    private func expectRefused(
        _ message: String, _ types: ManagedObject.Type...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: RecordStackError.self, sourceLocation: sourceLocation) {
            try TestStack(entities: types)
        }
        #expect(error?.code == .misuse, sourceLocation: sourceLocation)
        #expect(
            error?.message == message, "\(error as Any)", sourceLocation: sourceLocation)
    }

    @Test func `the model finds an inherited inverse in any order of the entities`() throws {
        for types in [[Farm.Attic.self, Farm.Parcel.self], [Farm.Parcel.self, Farm.Attic.self]]
            as [[ManagedObject.Type]]
        {
            let context = try TestStack(entities: types).stack.newContext()
            let attic = try Farm.Attic.create(in: context)
            attic.parcels.insert(try Farm.Parcel.create(in: context))
            let parcel = try #require(
                try Farm.Parcel.findFirst(in: context) { $0.place.isDry == true })
            #expect(parcel.place === attic)
            _ = try waitedSave(context)
            #expect(try Farm.Parcel.findFirst(in: context)?.place is Farm.Attic)
        }
    }

    @Test func `a model is refused if a to-many's inverse belongs to a subentity`() {
        expectRefused(
            "Flock.birds refers to Bird, but its inverse Goose.flock is a relationship of Goose. "
                + "Let Flock.birds refer to Goose, or declare flock in Bird.", Farm.Goose.self,
            Farm.Flock.self)
    }

    @Test func `a model is refused if a to-many's inverse belongs to a superentity`() {
        expectRefused(
            "Coop.ducks refers to Duck, but its inverse Fowl.coop is a relationship of Fowl. Let "
                + "Coop.ducks refer to Fowl, or declare coop in Duck.", Farm.Coop.self,
            Farm.Duck.self)
    }

    @Test func `a model is refused if a to-one's inverse belongs to a superentity`() {
        expectRefused(
            "Swan.pond refers to Pond, but its inverse Water.swans is a relationship of Water. Let "
                + "Swan.pond refer to Water, or declare swans in Pond.", Farm.Swan.self)
    }
}

enum Farm {
    @Entity class Place: ManagedObject {
        @Attribute var isDry: Bool = true
    }

    @Entity class Store: Place {
        @Relationship var parcels: ToMany<Parcel>
    }

    @Entity final class Attic: Store {
        @Attribute var height: Double = 2
    }

    @Entity final class Parcel: ManagedObject {
        @Relationship(inverse: \Store.parcels) var place: Store?
    }

    @Entity class Bird: ManagedObject {
        @Attribute var name: String = ""
    }

    @Entity final class Goose: Bird {
        @Relationship(inverse: \Flock.birds) var flock: Flock?
    }

    @Entity final class Flock: ManagedObject {
        @Relationship var birds: ToMany<Bird>
    }

    @Entity class Fowl: ManagedObject {
        @Relationship(inverse: \Coop.ducks) var coop: Coop?
    }

    @Entity final class Duck: Fowl {
        @Attribute var name: String = ""
    }

    @Entity final class Coop: ManagedObject {
        @Relationship var ducks: ToMany<Duck>
    }

    @Entity class Water: ManagedObject {
        @Relationship var swans: ToMany<Swan>
    }

    @Entity final class Pond: Water {
        @Attribute var depth: Double = 1
    }

    @Entity final class Swan: ManagedObject {
        @Relationship(inverse: \Pond.swans) var pond: Pond?
    }
}
