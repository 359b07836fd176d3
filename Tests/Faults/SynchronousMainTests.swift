import TestSupport
import Testing

/// A program that never runs the main queue.
@Suite struct SynchronousMainTests {
    @Test func `a synchronous main gets through a stack's life`() throws {
        let folder = try TemporaryFolder("synchronous-main")
        let clock = ContinuousClock()
        let start = clock.now
        let program = try ChildProgram("SynchronousMain", [folder.file("notes.sqlite")])
        let lines = program.remainingLines()
        #expect(program.wait().status == 0)
        print("a synchronous main took \(clock.now - start), the process's start included")
        #expect(
            lines == [
                "completed on the main thread: false", #"found: ["written"]"#, "counted: 3",
                "closed",
            ])
    }
}
