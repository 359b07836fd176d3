import Foundation
import RecordStack
import RecordStackTesting
import Testing

/// Predicates that cannot be filters. Creating the filter throws an error that names the reason.
@Suite("Refused predicates") struct PredicateRefusalTests {
    private func expect(
        _ predicate: Predicate<Visitor>, _ words: String...,
        place: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: RecordStackError.self, sourceLocation: place) {
            try Filter(predicate)
        }
        #expect(error?.code == .misuse, sourceLocation: place)
        for word in words {
            #expect(
                error?.message.contains(word) == true, "\(error as Any)", sourceLocation: place)
        }
    }

    @Test func `a predicate that checks the class of an object is refused`() {
        expect(
            #Predicate { $0 is Regular }, "asks whether a Visitor is a Regular", "Regular.where(")
        expect(#Predicate { ($0 as? Regular)?.since == 1 }, "asks whether a Visitor is a Regular")
        expect(#Predicate { ($0 as! Regular).since == 1 }, "asks whether a Visitor is a Regular")
    }

    @Test func `a predicate with an undeclared property is refused`() {
        expect(#Predicate { $0.shout == "ANN" }, "none of its properties", "name, nick, age")
        expect(
            #Predicate { $0.lodge?.hasChanges == true }, "none of its properties", "title, rooms")
    }

    @Test func `a predicate that reads a property such as name.utf8.count is refused`() {
        expect(#Predicate { $0.grade.rawValue == 1 }, "reads a property of a Tier", "CaseIterable")
        expect(#Predicate { $0.name.utf8.count == 1 }, "reads a property of a String")
        expect(#Predicate { $0.tags.count == 1 }, "reads a property of a Array<String>")
        expect(
            #Predicate { $0.lodges.first?.rooms == 1 }, "another property of members", "contains")
        expect(
            #Predicate { $0.lodges.filter { $0.rooms == 1 }.first?.title == "A" },
            "another property")
    }

    @Test func `a predicate that looks into a collection in an attribute is refused`() {
        let row = ["a"]
        expect(#Predicate { $0.tags.contains("a") }, "Array<String>", "JSON")
        expect(#Predicate { $0.tags.contains { $0 == "a" } }, "Array<String>", "JSON")
        expect(#Predicate { $0.tags.allSatisfy { $0 == "a" } }, "Array<String>", "JSON")
        expect(#Predicate { $0.tags.filter { $0 == "a" }.isEmpty }, "filters a Array<String>")
        expect(#Predicate { $0.tags.contains(row) }, "looks for a part of a Array<String>")
        expect(#Predicate { $0.tags.starts(with: row) }, "looks for a part of a Array<String>")
        expect(#Predicate { $0.tags.max() == "a" }, "greatest", "max")
        expect(#Predicate { $0.tags.min() == "a" }, "least", "min")
        expect(#Predicate { $0.tags[0] == "a" }, "by its index")
        expect(#Predicate { $0.tags[0..<1] == row[0..<1] }, "by a range")
    }

    @Test func `a predicate with an unsupported use of captured values is refused`() {
        let (list, table) = ([1], ["a": 1])
        let none: [Int]? = nil
        let many = 0..<Int.max
        expect(#Predicate { list[3] == $0.visits }, "by its index")
        expect(#Predicate { table[$0.name] == 1 }, "looks up", "before")
        expect(#Predicate { table[$0.name, default: 1] == 1 }, "looks up", "before")
        expect(#Predicate { none!.contains($0.visits) }, "unwraps a value that is nil")
        expect(#Predicate { one in many.contains { $0 == one.visits } }, "more than 1,000 values")
    }

    @Test func `a refused predicate runs no statement`() throws {
        let test = try TestStack(for: Visitor.self, Regular.self, Lodge.self)
        let context = test.stack.newContext()
        let statements = try test.recorder.statements {
            _ = try Visitor.count(in: context)
            #expect(throws: RecordStackError.self) {
                _ = try Visitor.find(
                    matching: Filter(#Predicate<Visitor> { $0 is Regular }), in: context)
            }
            #expect(throws: RecordStackError.self) {
                _ = try Visitor.count(
                    matching: Filter(#Predicate<Visitor> { $0.name.utf8.count == 1 }), in: context)
            }
        }
        #expect(statements.count == 1)
    }

    @Test func `a predicate with an object ID in a conditional expression is refused`() {
        let id = ManagedObjectID("recordstack://00000000-0000-0000-0000-000000000000/Visitor/1")!
        expect(#Predicate { ($0.isMember ? $0.objectID : id) == id }, "uses an ID as a value")
    }

    @Test func `a request that compares with an ID of another entity is refused`() throws {
        let id = ManagedObjectID("recordstack://00000000-0000-0000-0000-000000000000/Visitor/1")!
        let test = try TestStack(for: Visitor.self, Regular.self, Lodge.self)
        let context = test.stack.newContext()
        let error = #expect(throws: RecordStackError.self) {
            try Visitor.find(
                matching: Filter(#Predicate<Visitor> { $0.lodge?.objectID == id }), in: context)
        }
        #expect(error?.message.contains("which is of a Visitor") == true)
    }

    @Test func `a predicate that calculates with a UInt64 is refused`() {
        expect(#Predicate { $0.ticket + 1 == 2 }, "calculates with a UInt64")
    }

    @Test func `a predicate with the variable of another predicate is refused`() {
        let other = PredicateExpressions.Variable<Visitor>()
        expect(
            Predicate<Visitor> { _ in
                PredicateExpressions.build_KeyPath(root: other, keyPath: \.isMember)
            }, "the variable of another predicate")
    }

    @Test func `a predicate is refused if a value has over 32 combinations of branches`() {
        func doubled<Number: StandardPredicateExpression<Int>>(
            _ number: Number
        ) -> PredicateExpressions.Arithmetic<Number, Number> {
            PredicateExpressions.build_Arithmetic(lhs: number, rhs: number, op: .add)
        }
        let predicate = Predicate<Visitor> {
            let age = PredicateExpressions.build_NilCoalesce(
                lhs: PredicateExpressions.build_KeyPath(root: $0, keyPath: \.age),
                rhs: PredicateExpressions.build_Arg(1))
            return PredicateExpressions.build_Equal(
                lhs: doubled(doubled(doubled(age))), rhs: PredicateExpressions.build_Arg(1))
        }
        expect(predicate, "more than 32 cases")
    }
}
