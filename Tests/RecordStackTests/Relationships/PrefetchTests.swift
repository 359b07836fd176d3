import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

/// An entity with relationships of each kind.
@Entity final class Firm: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship var staff: ToMany<Worker>
    @Relationship var queue: OrderedToMany<Worker>
}

@Entity final class Worker: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship(inverse: \Firm.staff) var firm: Firm?
    @Relationship(inverse: \Firm.queue) var waitsFor: Firm?
    @Relationship(inverse: \Skill.workers) var skills: ToMany<Skill>
}

@Entity final class Skill: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship var workers: ToMany<Worker>
}

/// Related objects that are loaded together with the objects of a request.
@Suite("Prefetching") struct PrefetchTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    /// Creates 100 firms with 5 workers each, who have 2 of 20 skills and wait for the next firm.
    init() throws {
        test = try TestStack(for: Firm.self, Worker.self, Skill.self) { context in
            let firms = try (0..<100).map { try Firm.create(in: context, name: "f\($0)") }
            let skills = try (0..<20).map { try Skill.create(in: context, name: "s\($0)") }
            for number in 0..<500 {
                let worker = try Worker.create(in: context, name: "w\(number)")
                worker.firm = firms[number % 100]
                worker.waitsFor = firms[(number + 1) % 100]
                worker.skills.insert(skills[number % 20])
                worker.skills.insert(skills[(number + 7) % 20])
            }
        }
        context = test.stack.newContext()
    }

    private func names(_ firm: Firm) -> [String] { firm.staff.map(\.name).sorted() }

    private func staff(_ number: Int) -> [String] {
        stride(from: number, to: 500, by: 100).map { "w\($0)" }.sorted()
    }

    @Test func `prefetching loads the members of all objects with two statements`() throws {
        var found: [[String]] = []
        let statements = try test.recorder.statements {
            let firms = try Firm.find(prefetching: { $0.staff }, in: context)
            found = firms.map(names)
        }
        #expect(found == (0..<100).map(staff))
        #expect(statements.filter { $0.hasPrefix("SELECT") }.count == 2)
        // A third statement begins the read transaction. The writer may lease keys meanwhile.
        let own = statements.filter { ["SEL", "PRA", "BEG"].contains($0.prefix(3)) }
        #expect(own.filter { $0 != "BEGIN IMMEDIATE" }.count <= 3, "\(own)")
    }

    @Test func `async pages and lazy results prefetch relationships`() async throws {
        let request = Firm.all.sorted(by: .ascending(\.name)).prefetching { $0.staff }
        for lazily in [false, true] {
            let context = test.stack.newContext()
            context.strictLoading = .throwing
            var found: [[String]] = []
            let statements = try await test.recorder.statements {
                if lazily {
                    found = try context.findLazily(request, batch: 25).map(names)
                } else {
                    for try await page in context.pages(size: 25, of: request) {
                        found += page.items.map(names)
                    }
                }
            }
            #expect(Set(found) == Set((0..<100).map(staff)) && found.count == 100)
            #expect(statements.filter { $0.hasPrefix("SELECT t0") }.count <= 12, "\(statements)")
            #expect(try Firm.count(in: context) == 100)
        }
    }

    @Test func `a filtered request prefetches only members of the objects it finds`() throws {
        var found: [[String]] = []
        let statements = try test.recorder.statements {
            let firms = try Firm.find(prefetching: { $0.staff }, in: context) {
                $0.name.hasSuffix("7")
            }
            found = firms.map(names)
        }
        #expect(found == stride(from: 7, to: 100, by: 10).map(staff))
        #expect(statements.filter { $0.hasPrefix("SELECT") }.count == 2)
        #expect(context.registeredObjectCount == 60)
    }

    @Test func `a loop over members without prefetching runs few statements`() throws {
        var found: [[String]] = []
        let statements = try test.recorder.statements {
            found = try Firm.find(in: context).map(names)
        }
        #expect(found == (0..<100).map(staff))
        #expect(statements.filter { $0.hasPrefix("SELECT") }.count <= 20)
    }

    @Test func `prefetching can follow paths of relationships that share a beginning`() throws {
        var lines: [String] = []
        let statements = try test.recorder.statements {
            let workers = try Worker.find(
                sortedBy: .ascending(\.name), limit: 3,
                prefetching: {
                    $0.firm.staff.skills
                    $0.firm.queue
                }, in: context)
            for worker in workers {
                let skills = worker.firm?.staff.flatMap { $0.skills.map(\.name) } ?? []
                lines.append("\(Set(skills).count) \(worker.firm?.queue.count ?? 0)")
            }
        }
        // Workers, firms, staff, keys of skills, skills, keys of the queue, and the queue.
        #expect(statements.filter { $0.hasPrefix("SELECT") }.count == 7)
        #expect(lines == ["2 5", "2 5", "2 5"])
    }

    @Test func `prefetching keeps the order of members`() throws {
        let firms = try Firm.find(sortedBy: .ascending(\.name), in: context)
        let wanted = firms.map { $0.queue.map(\.name) }
        let other = test.stack.newContext()
        let loaded = try Firm.find(
            sortedBy: .ascending(\.name), prefetching: { $0.queue }, in: other)
        #expect(loaded.map { $0.queue.map(\.name) } == wanted)
    }

    @Test func `prefetching shows unsaved changes of members`() throws {
        let child = context.newChild()
        let first = try #require(try Firm.findFirst(by: \.name, "f0", in: context))
        let second = try #require(try Firm.findFirst(by: \.name, "f1", in: context))
        let moved = try #require(try Worker.findFirst(by: \.name, "w0", in: context))
        moved.firm = second
        try Worker.delete(in: context) { $0.name == "w100" }
        try Worker.create(in: context, name: "new").firm = first
        let firms = try Firm.find(prefetching: { $0.staff.skills }, in: child)
        #expect(names(firms[0]) == ["new", "w200", "w300", "w400"])
        #expect(names(firms[1]) == (staff(1) + ["w0"]).sorted())
        #expect(firms[2].staff.map { $0.skills.count } == [2, 2, 2, 2, 2])
    }

    @Test func `prefetched members stay loaded while their owners are held`() throws {
        var firms = try Firm.find(prefetching: { $0.staff }, in: context)
        sweep(while: { false })
        let statements = test.recorder.statements { #expect(names(firms[99]) == staff(99)) }
        #expect(statements.filter { $0.hasPrefix("SELECT t0") }.isEmpty)
        firms = []
        sweep(while: { context.registeredObjectCount > 0 })
        #expect(context.registeredObjectCount == 0)
    }

    /// Runs operations until the context releases nothing more.
    private func sweep(while isDone: () -> Bool) {
        for round in 0..<200 where round < 20 || isDone() {
            usleep(1_000)
            _ = try? Skill.count(in: context)
        }
    }

    @Test func `requests, pages by number and pages by key prefetch relationships`() throws {
        let request = Firm.all.sorted(by: .ascending(\.name)).prefetching { $0.staff }
        for load in [
            { try self.context.find(request.limited(to: 10)) },
            { try self.context.page(2, size: 10, of: request).items },
            { try self.context.page(after: nil, size: 10, of: request).items },
        ] {
            let firms = try load()
            let statements = test.recorder.statements { _ = firms.map(names) }
            let reads = statements.filter { $0.hasPrefix("SELECT t0") }
            #expect(firms.count == 10 && reads.isEmpty)
        }
        #expect(try context.count(request) == 100)
    }

    @Test func `prefetching a property that is no relationship throws misuse`() throws {
        let path = RelationshipPath<Firm>()[dynamicMember: \Firm.undeclared]
        let request = Firm.all.prefetching { _ in path }
        let error = #expect(throws: RecordStackError.self) { try context.find(request) }
        #expect(error?.code == .misuse && error?.message.contains("staff, queue") == true)
    }
}

extension Firm {
    var undeclared: Firm? { nil }
}
