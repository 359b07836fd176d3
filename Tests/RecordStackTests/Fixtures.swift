import FoundationEssentials
import RecordStack
import RecordStackTesting

@Entity final class Person: ManagedObject {
    @Attribute(.unique, .imported(from: "email", "contact.mail")) var email: String
    @Attribute(.imported(from: "full_name", "name")) var name: String = ""
    @Attribute var age: Int?
    @Attribute var isActive: Bool = true
    @Relationship(inverse: \Team.members) var team: Team?
}

@Entity final class Team: ManagedObject {
    @Attribute(.unique) var title: String
    @Relationship var members: ToMany<Person>
}

@Entity class Animal: ManagedObject {
    @Attribute var name: String
    @Attribute var legs: Int = 4
}

@Entity final class Dog: Animal {
    @Attribute var breed: String?
    @Attribute var isTrained: Bool = false
}

extension StoreOptions {
    /// Options for a stack that does not notice what other stacks save to its file.
    static var hearingOfNobody: StoreOptions {
        var options = StoreOptions()
        options.remoteSaveInterval = nil
        return options
    }
}

extension StatementRecorder {
    /// All statements, including those that set up connections.
    var allStatements: [String] {
        events.compactMap { if case .statement(_, let sql) = $0 { sql } else { nil } }
    }
}
