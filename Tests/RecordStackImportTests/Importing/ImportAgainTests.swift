import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

@Entity final class Wharf: ManagedObject {
    @Attribute(.unique) var code: String
    @Attribute var city: String
    @Relationship(.notImported) var freights: ToMany<Freight>
}

@Entity final class Haulier: ManagedObject {
    @Attribute(.unique) var number: Int
    @Attribute var name: String?
    @Relationship(.notImported) var freights: ToMany<Freight>
}

@Entity final class Stencil: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship(.notImported) var freights: ToMany<Freight>
}

@Entity final class Freight: ManagedObject {
    @Attribute(.unique) var barcode: Int
    @Attribute var weight: Double
    @Attribute var sent: Date?
    @Attribute var remark: String?
    @Relationship(inverse: \Wharf.freights) var wharf: Wharf?
    @Relationship(inverse: \Haulier.freights) var haulier: Haulier?
    @Relationship(inverse: \Stencil.freights) var stencils: ToMany<Stencil>
}

/// Imports of the same payload again, where unchanged rows must cost only their lookup.
@Suite("Repeated imports") struct ImportAgainTests {
    private static let batch = 1_000
    private static let wharfs = 2_500
    private let rows = Seeded.rounds(4_000, full: 100_000)
    private let test: TestStack

    init() throws {
        test = try TestStack(
            for: Freight.self, Wharf.self, Haulier.self, Stencil.self, at: .temporaryFile)
    }

    /// - Parameter changed: the rows with another weight.
    private func payload(changed: Set<Int> = []) -> Data {
        var text = "["
        for row in 0..<rows {
            if row > 0 { text += "," }
            let weight = changed.contains(row) ? "0.5" : "\(row % 70).25"
            text += #"{"barcode":\#(row),"weight":\#(weight),"sent":"2026-03-01T10:00:00Z","#
            text += #""remark":null,"wharf":{"code":"D\#(row % Self.wharfs)","city":"C"},"#
            text += #""haulier":\#(row % 9),"stencils":["S\#(row % 7)","T\#(row % 5)"]}"#
        }
        return Data((text + "]").utf8)
    }

    private func run(_ data: Data) async throws -> (
        report: ImportReport, statements: [String], written: Int
    ) {
        let stack = test.stack
        let before = stack.storeStatistics.rowsWritten
        nonisolated(unsafe) var report = ImportReport()
        let statements = try await test.recorder.statements {
            report = try await stack.saveWithBlock { try Freight.importJSON(data, in: $0) }
        }
        return (report, statements, stack.storeStatistics.rowsWritten - before)
    }

    private func lookUps(_ entity: String, among statements: [String]) -> Int {
        statements.count { $0.hasPrefix("SELECT") && $0.contains("FROM \"\(entity)\"") }
    }

    @Test func `a repeated import writes nothing and runs one lookup per batch`() async throws {
        let data = payload()
        let first = try await run(data)
        #expect(first.report.inserted == rows && first.report.problems.isEmpty)
        #expect(try Wharf.count(in: test.stack.newContext()) == min(rows, Self.wharfs))
        let again = try await run(data)
        #expect(again.report.unchanged == rows && again.written == 0)
        let writes = again.statements.filter {
            $0.hasPrefix("INSERT") || $0.hasPrefix("UPDATE") || $0.hasPrefix("DELETE")
                || $0.hasPrefix("BEGIN IMMEDIATE")
        }
        #expect(writes == [])
        let batches = (rows + Self.batch - 1) / Self.batch
        #expect(lookUps("Freight", among: again.statements) == batches)
        for entity in ["Wharf", "Haulier", "Stencil"] {
            #expect((1...batches).contains(lookUps(entity, among: again.statements)), "\(entity)")
        }
        // The join rows of stencils are also read once per batch.
        let reads = again.statements.filter { $0.hasPrefix("SELECT") }
        #expect(reads.count <= batches * 5)
    }

    @Test func `importing an unchanged payload writes nothing if each batch is saved`() async throws
    {
        let (data, stack) = (payload(), test.stack)
        _ = try await run(data)
        let before = stack.storeStatistics.rowsWritten
        nonisolated(unsafe) var report = ImportReport()
        let statements = try await test.recorder.statements {
            report = try await stack.importJSON(
                .data(data), into: Freight.self, commit: .everyBatch)
        }
        #expect(report.unchanged == rows && stack.storeStatistics.rowsWritten == before)
        let batches = (rows + Self.batch - 1) / Self.batch
        for entity in ["Freight", "Wharf", "Haulier", "Stencil"] {
            #expect((1...batches).contains(lookUps(entity, among: statements)), "\(entity)")
        }
    }

    @Test func `a repeated import writes only the rows that have changed`() async throws {
        _ = try await run(payload())
        let changed = Set(stride(from: 3, to: rows, by: 100))
        let again = try await run(payload(changed: changed))
        #expect(again.report.updated == changed.count)
        #expect(again.report.unchanged == rows - changed.count)
        #expect(again.written == changed.count)
        let context = test.stack.newContext()
        let found = try Freight.values(of: \.barcode, in: context) { $0.weight == 0.5 }
        #expect(Set(found) == changed)
    }
}
