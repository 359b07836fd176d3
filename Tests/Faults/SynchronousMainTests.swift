import TestSupport
import Testing

/// A program that never runs the main queue.
@Suite("Synchronous main") struct SynchronousMainTests {
    @Test func `a program with a synchronous main can save, find and close a stack`() throws {
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
