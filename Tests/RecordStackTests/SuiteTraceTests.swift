import RecordStack
import RecordStackTesting
import SuiteTrace
import Testing

/// A watch over every statement of the test suite, which ends the process with an error if any test
/// breaks a rule. These tests show that the watch sees statements and recognizes violations.
@Suite("SQL trace of the test suite") struct SuiteTraceTests {
    @Test func `the test suite's SQL trace watches the stores that tests open`() throws {
        let test = try TestStack(for: Person.self, at: .temporaryFile)
        let connections = suite_trace_connections()
        _ = try Person.count(in: test.stack.newContext())
        #expect(suite_trace_connections() > connections)
        #expect(suite_trace_statements() > 0)
        #expect(suite_trace_violations() == 0)
    }

    @Test(arguments: [
        "SELECT 'value'", "SELECT 12", "SELECT ?1 + 7", "SELECT x FROM t WHERE a = 2.5",
        "UPDATE t SET a = 10", "SELECT \"unclosed", "SELECT a WHERE a LIKE 'x%'",
    ])
    func `the test suite's SQL trace counts a literal in SQL as a violation`(sql: String) {
        #expect(suite_trace_breaks_rules(sql) == 1)
    }

    @Test(arguments: [
        "SELECT \"a\", \"b 12\" FROM \"t1\" AS t0 WHERE t0.\"a\" = ?12 LIMIT ?2",
        "SELECT count(*) FROM t2", "SELECT 1", "PRAGMA cache_size=-16384",
    ])
    func `the test suite's SQL trace accepts names, parameters and pragmas`(sql: String) {
        #expect(suite_trace_breaks_rules(sql) == 0)
    }
}
