import RecordStack
import Testing

/// The outcomes of saves: every way of saving, with every event, under every architecture. The page
/// SaveOutcomes lists them.
@MainActor @Suite("Outcomes of saves") struct SaveOutcomeTests {
    @Test(arguments: Cell.all)
    func `a save and its retry end as the documentation page SaveOutcomes says`(
        cell: Cell
    ) async throws {
        let page = try SaveOutcomesPage.shared.get()
        let row = try #require(try page.rows(for: cell).first)
        let trial = try SaveTrial(cell)
        let before = trial.changes
        let outcome = try await trial.saveWhileItHappens()
        #expect(outcome == row["outcome"])
        try trial.checkFile(row)
        try trial.checkLevels(row, before: before)
        let second = try await trial.saveMended()
        #expect(second == row["once mended"])
        let isUponStore = try page.table(of: cell) == SaveOutcomesPage.uponStore
        try await trial.checkAfterSavingAgain(isUponStore: isUponStore)
        let expected = try page.completions(of: cell)
        #expect(try trial.end() == [expected, expected], "how often completions were called")
    }

    @Test func `the documentation page SaveOutcomes has one row for every case`() throws {
        let page = try SaveOutcomesPage.shared.get()
        #expect(page.happenings == Happening.allCases.map(\.rawValue))
        #expect(page.ways.map { $0["way"] } == Way.allCases.map(\.rawValue))
        var used: Set<String> = []
        for cell in Cell.all {
            let rows = try page.rows(for: cell)
            #expect(rows.count == 1, "\(cell.testDescription)")
            for row in rows {
                used.insert("\(try page.table(of: cell)) \(cell.happening.rawValue) \(row.line)")
            }
        }
        for (name, rows) in page.tables {
            for row in rows {
                for happening in row.happenings {
                    let isUsed = used.contains("\(name) \(happening) \(row.line)")
                    #expect(isUsed, "\(name), \(happening): \(row.line)")
                }
            }
        }
        print("outcomes of saves: \(Cell.all.count) cells")
    }
}
