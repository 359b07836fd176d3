import RecordStack
import RecordStackTesting
import Testing

/// Requests that are printed.
@Suite("Printed requests") struct RequestDescriptionTests {
    @Test func `a printed request shows its filter, sort order, limit and offset`() {
        #expect("\(Person.all)" == "Person")
        let request = Person.where { $0.age >= 18 && $0.team.title == "A" }
            .sorted(
                by: [
                    .descending(\.age, nulls: .first), .ascending(\.name, .caseInsensitive),
                    .descending { $0.team.members.count },
                ]
            ).offset(by: 5).limited(to: 10)
        #expect(
            "\(request)"
                == #"Person where age >= 18 AND team.title == "A", sorted by age descending with nil first "#
                + "and name[c] and team.members.@count descending, without the first 5, limited to 10"
        )
        #expect("\(Dog.all.excludingSubentities())" == "Dog, without subentities")
    }

    @Test func `a printed request with an undeclared property shows the error`() {
        let request = Person.where { $0.shout == "ANN" }.sorted(by: .ascending(\.shout))
        #expect("\(request)".hasPrefix("Person where (A filter or sort order of Person names"))
        #expect("\(request)".contains("sorted by (A filter or sort order"))
    }
}
