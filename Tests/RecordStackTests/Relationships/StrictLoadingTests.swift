import Dispatch
import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import Synchronization
import TestSupport
import Testing

/// Reports of loops that load objects one by one.
@Suite("Strict loading") struct StrictLoadingTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try TestStack(for: Firm.self, Worker.self, Skill.self) { context in
            for number in 0..<20 {
                let firm = try Firm.create(in: context, name: "f\(number)")
                for place in 0..<3 {
                    try Worker.create(in: context, name: "w\(number) \(place)").firm = firm
                }
            }
        }
        context = test.stack.newContext()
    }

    private func names(_ firms: [Firm]) -> [String] {
        var names: [String] = []
        for firm in firms { for worker in firm.staff { names.append(worker.name) } }
        return names
    }

    private let loopLine = #line - 4

    @Test func `strict loading throws an error that names the line of a loop`() throws {
        let firms = try Firm.find(in: context)
        let error = #expect(throws: RecordStackError.self) {
            try context.withStrictLoading { _ = names(firms) }
        }
        #expect(error?.code == .loadedOneByOne)
        #expect(error?.entity == "Firm" && error?.property == "staff")
        #expect(
            error?.message.contains("StrictLoadingTests.swift:\(loopLine)") == true,
            "\(error?.message ?? "")")
        #expect(error?.message.contains("prefetching: { $0.staff }") == true)
        #expect(try Firm.count(in: context) == 20)
    }

    /// SQLite maps and unmaps the index of its WAL in the same way.
    @Test func `strict loading names a loop's source line while a thread unmaps memory`() throws {
        let folder = try TemporaryFolder("mapped")
        let path = folder.path + "/file"
        try Data(repeating: 0, count: 65_536).write(to: URL(filePath: path))
        let isOver = Mutex(false)
        DispatchQueue(label: "mapping").async {
            let file = open(path, O_RDONLY)
            while !isOver.withLock({ $0 }) {
                munmap(mmap(nil, 65_536, PROT_READ, MAP_SHARED, file, 0), 65_536)
            }
            close(file)
        }
        defer { isOver.withLock { $0 = true } }
        for _ in 0..<2 {
            let fresh = test.stack.newContext()
            let firms = try Firm.find(in: fresh)
            let error = #expect(throws: RecordStackError.self) {
                try fresh.withStrictLoading { _ = names(firms) }
            }
            #expect(error?.message.contains("StrictLoadingTests.swift:\(loopLine)") == true)
        }
    }

    @Test func `strict loading allows a loop over prefetched members`() throws {
        let firms = try Firm.find(prefetching: { $0.staff }, in: context)
        let count = try context.withStrictLoading { names(firms).count }
        #expect(count == 60)
    }

    @Test func `strict loading lets a loop read and throws at the next operation`() throws {
        context.strictLoading = .throwing
        let workers = try Worker.find(in: context)
        var titles: [String?] = []
        for worker in workers { titles.append(worker.firm?.name) }
        let line = #line - 1
        #expect(titles.count == 60 && titles.allSatisfy { $0?.hasPrefix("f") == true })
        let error = #expect(throws: RecordStackError.self) { try Worker.count(in: context) }
        #expect(error?.property == "firm")
        #expect(error?.message.contains("StrictLoadingTests.swift:\(line)") == true)
        #expect(try Worker.count(in: context) == 60)
    }

    @Test func `strict loading reports each relationship once for each find`() throws {
        let reports = Mutex<[String]>([])
        context.strictLoading = .reporting { error in
            reports.withLock { $0.append("\(error.entity ?? "").\(error.property ?? "")") }
        }
        _ = names(try Firm.find(in: context))
        #expect(reports.withLock { $0 } == ["Firm.staff"])
        context.refreshAllObjects()
        let workers = try Worker.find(in: context)
        for worker in workers { _ = worker.skills.count }
        for worker in workers { _ = worker.skills.map(\.name) }
        #expect(reports.withLock { $0 } == ["Firm.staff", "Worker.skills"])
        #expect(throws: Never.self) { try Worker.count(in: context) }
    }

    @Test func `strict loading allows reading one object and its members`() throws {
        let count = try context.withStrictLoading {
            let firm = try #require(try Firm.findFirst(by: \.name, "f3", in: context))
            return firm.staff.map { $0.firm?.name }.count
        }
        #expect(count == 3)
    }

    @Test func `strict loading throws for a loop over faults`() throws {
        let firms = try Firm.find(in: context)
        context.refreshAllObjects()
        let error = #expect(throws: RecordStackError.self) {
            try context.withStrictLoading { _ = firms.map(\.name) }
        }
        #expect(error?.entity == "Firm" && error?.property == nil)
    }

    @Test func `a child inherits strict loading from its parent`() throws {
        context.strictLoading = .throwing
        let child = context.newChild()
        let firms = try Firm.find(in: child)
        _ = names(firms)
        #expect(throws: RecordStackError.self) { try Firm.count(in: child) }
    }
}
