import Foundation
import GRDBSQLite

/// Reports the results as they arrive.
struct Report {
    let options: Options

    func begin() {
        let library = "SQLite \(String(cString: sqlite3_libversion()))"
        let lines = [
            "\(library), every peer opened with", "  \(Pragma.summary)",
            "\(options.pairs) interleaved pairs (ABBA), \(options.scale.name) persons.",
            "A ratio is the median of \(options.peersOnly ? "theirs ÷ the first's" : "ours ÷ theirs")"
                + " over the pairs: less is better.",
        ]
        let remarks = options.workloads.compactMap { workload in
            workload.remark.map { "\(workload.id): \($0)" }
        }
        if options.json {
            ProgressLine.complain(([lines[0] + lines[1]] + remarks).joined(separator: "\n"))
        } else {
            for line in lines + remarks { Table.wrap(line).forEach { show($0) } }
            if options.quick { show("--quick: figures are a hint, the gates are for more rows.") }
        }
    }

    func add(_ result: WorkloadResult) {
        if options.json {
            show(JSONLine.text(result))
        } else {
            show("")
            Table.lines(result).forEach { show($0) }
        }
    }

    func end(_ results: [WorkloadResult]) throws {
        if !options.json && !options.peersOnly && !results.isEmpty {
            show("")
            Table.summary(results).forEach { show($0) }
        }
        if let plot = options.plot, !results.isEmpty {
            try Plot(results: results, quick: options.quick).svg
                .write(toFile: plot, atomically: true, encoding: .utf8)
        }
    }

    // The line is written at once, so that a reader of a pipe sees each result when it arrives.
    private func show(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
