import Testing
import XCTest

/// The location of an expectation in a test.
struct TestLocation: Sendable {
    let fileID: StaticString
    let filePath: StaticString
    let line: UInt
    let column: UInt

    /// Makes the running test fail at this location. The test goes on.
    ///
    /// Outside a test nothing happens. Swift Testing and XCTest ignore each other's failures. In a
    /// Swift Testing test, only Swift Testing gets the failure. If the current test is unknown, for
    /// example in a detached task, both libraries get the failure, and the library that is not
    /// running ignores it.
    func fail(_ message: String) {
        if Test.current == nil { XCTFail(message, file: filePath, line: line) }
        Issue.record(
            Comment(rawValue: message),
            sourceLocation: SourceLocation(
                fileID: "\(fileID)", filePath: "\(filePath)", line: Int(line), column: Int(column)))
    }
}
