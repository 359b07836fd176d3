import CounterFile
import Foundation
import RecordStack

// Saves at a fixed rate for some seconds, and watches the saves of the other processes:
//     CountLoop PATH PROCESS START SECONDS SAVES-PER-SECOND
//
// All processes begin at START, in nanoseconds of the machine's clock.
let arguments = CommandLine.arguments
let own = Int(arguments[2])!
let start = Int(arguments[3])!
let end = start + Int(Double(arguments[4])! * 1e9)
let pause = Int(1e9 / Double(arguments[5])!)

/// The time at which a number of a process was saved or seen.
struct Moment: Sendable {
    let process: Int
    let number: Int
    let time: Int
}

func say(_ word: String, _ moments: [Moment]) {
    print(word, moments.map { "\($0.process):\($0.number):\($0.time)" }.joined(separator: " "))
}

let stack = try CounterFile.open(arguments[1])
let watch = try RemoteWatch(stack.defaultContext, own: own)
let saver = Saver(stack: stack, own: own, start: start, end: end, pause: pause)
async let tally = Task.detached { try saver.run() }.value
// Watches for another second, because the last saves of the other processes are still on their way.
while now() < end + 1_000_000_000 {
    watch.look()
    try await Task.sleep(for: .microseconds(500))
}
let result = try await tally
print("conflicts \(result.conflicts)")
say("saved", result.saves)
say("seen", watch.seen)
print("processor \(processorMilliseconds())")
try stack.close()
