import Testing
import XCTest

/// Where in a test something was expected.
struct TestLocation: Sendable {
    let fileID: StaticString
    let filePath: StaticString
    let line: UInt
    let column: UInt

    /// Makes the test that runs fail here, and lets it go on. Outside of a test nothing happens.
    ///
    /// The two libraries do not hear of each other's failures. Inside a Swift Testing test its own is
    /// told. Where it is not known which one runs, in a detached task for example, both are: the one
    /// that does not run pays no heed.
    func fail(_ message: String) {
        if Test.current == nil { XCTFail(message, file: filePath, line: line) }
        Issue.record(
            Comment(rawValue: message),
            sourceLocation: SourceLocation(
                fileID: "\(fileID)", filePath: "\(filePath)", line: Int(line), column: Int(column)))
    }
}
