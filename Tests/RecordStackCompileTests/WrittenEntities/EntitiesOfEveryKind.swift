/// Declarations that cover everything that the macros can write.
enum EntitiesOfEveryKind {
    static let text = #"""
        public import Foundation
        public import RecordStack

        public enum Rank: Int, EnumAttributeValue { case low, high }
        public struct Address: CodableAttributeValue {
            public var street = ""
        }

        @Entity(.unique(\.name, \.born), .indexed(\.rank), .stored(as: "beings"), identity: \.name, \.born)
        open class Being: ManagedObject {
            @Attribute(.imported(from: "full-name", "title")) public var name: String
            public var born: Date = .distantPast
            public var rank: Rank = .low
            public private(set) var secret: UUID?
            var `class`: Int = 1
            var size = 1.5  // inferred
            private var inner: [Double] = []
            @Attribute(.transient) public var isSelected = false
            static let kinds = 3
            public var isOld: Bool { born < Date(timeIntervalSince1970: 0) }
        }

        @Entity("Human") public final class Person: Being {
            public var address: Address?
            @Attribute(.range(0...150)) public var age: Int?
            @Attribute(.stored(as: "mail"), .unique) public var email: String?
            @Relationship(inverse: \Team.members) public var team: Team?
            @Relationship(.symmetric) public var friends: ToMany<Person>
            @Relationship(.oneWay) var idol: Being?

            public override func willSave() { if name.isEmpty { name = "nobody" } }
            public override func awakeFromInsert() { age = 0 }
        }

        @Entity(.abstract) class Note: ManagedObject {
            @Attribute(.pattern("[a-z]*")) var text: String
        }

        @Entity final class Remark: Note {
            @Relationship(.required) var about: Team?
        }

        public enum Names {
            @Entity("NamedTeam") public final class Team: ManagedObject { public var title: String }
        }

        @Entity public final class Team: ManagedObject {
            @Attribute(.unique) public var title: String
            @Relationship(.count(0...11), deleteRule: .cascade) public var members: OrderedToMany<Person>
            @Relationship(inverse: \Remark.about) var remarks: ToMany<Remark>
        }

        @Entity final class Empty: ManagedObject {}

        """#
}
