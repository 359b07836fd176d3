import Foundation
import RecordStack
import RecordStackTesting
import Testing

@Suite("Cancelled imports into a context") struct ImportCancellationTests {
    @Test func `a cancelled import leaves its new objects pending in the context`() async throws {
        let stack = try TestStack(for: Brick.self, Wall.self).stack
        let rows = (0..<100).map { #"{"number": \#($0)}"# }.joined(separator: ",")
        let text = Data("[\(rows)]".utf8)
        let task = Task {
            let context = stack.newContext()
            var options = ImportOptions()
            options.batchSize = 10
            var isCancelled = false
            do {
                try Brick.importJSON(text, in: context, options: options) { progress in
                    if progress.rows == 50 { withUnsafeCurrentTask { $0?.cancel() } }
                }
            } catch is CancellationError {
                isCancelled = true
            }
            return (isCancelled, context.insertedObjects.count)
        }
        let (isCancelled, count) = try await task.value
        #expect(isCancelled && count == 50)
    }
}
