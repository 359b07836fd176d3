import RecordStack

/// Fetches all companies into an empty context, with or without their persons.
///
/// It then walks the persons of each company in turn, and drops everything.
final class OurCompanyWalk: Contender {
    let name: String
    private let isPrefetching: Bool
    private let stack: ContextStack
    private let count: Int

    init(_ lab: Lab, prefetching: Bool) throws {
        name = prefetching ? "ours, prefetched" : "ours, one by one"
        isPrefetching = prefetching
        stack = try Graph.stack(at: lab.ourGraphStore())
        count = lab.scale.persons
    }

    func run() throws {
        let met = try stack.walkCompanies(prefetching: isPrefetching)
        guard met == count else { throw Failure("ours met \(met) persons") }
    }

    func fingerprint() throws -> Fingerprint { try stack.companyFingerprint() }
}

/// The number of statements of the walk.
final class OurCompanyStatements: Contender {
    let name: String
    private let stack: ContextStack
    private let isPrefetching: Bool

    init(_ lab: Lab, prefetching: Bool) throws {
        name = prefetching ? "ours, prefetched, statements" : "ours, statements"
        isPrefetching = prefetching
        stack = try Graph.stack(at: lab.ourGraphStore())
    }

    func run() throws { _ = try measure() }

    func measure() throws -> Double {
        let before = stack.storeStatistics
        _ = try stack.walkCompanies(prefetching: isPrefetching)
        return Double((stack.storeStatistics - before).statements)
    }

    func fingerprint() throws -> Fingerprint { try stack.companyFingerprint() }
}

extension ContextStack {
    /// Walks all companies.
    ///
    /// - Returns: the number of persons that the walk reached.
    fileprivate func walkCompanies(prefetching: Bool) throws -> Int {
        let context = newContext()
        var (sum, met) = (0, 0)
        var request = Graph.Company.all
        if prefetching { request = request.prefetching { $0.persons } }
        for company in try context.find(request) {
            for person in company.persons {
                sum &+= person.age
                met += 1
            }
        }
        guard sum > 0 else { throw Failure("ours met nobody") }
        return met
    }

    fileprivate func companyFingerprint() throws -> Fingerprint {
        let context = newContext()
        var fingerprint = Fingerprint()
        for company in try Graph.Company.find(in: context) {
            for person in company.persons {
                fingerprint.add(
                    PersonRow(
                        key: 0, email: person.email, firstName: person.firstName,
                        lastName: person.lastName, city: person.city, age: person.age,
                        visits: person.visits, score: person.score, balance: person.balance,
                        isActive: person.isActive, note: person.note,
                        company: Int64(company.number)))
            }
        }
        return fingerprint
    }
}
