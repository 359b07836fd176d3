import Dispatch
import Foundation
import HeapUse
import RecordStack

// Runs a loop and prints the peak heap in the second and in the last tenth of the rounds, in bytes:
//     HeapLoops LOOP ROUNDS [FILE]
let arguments = CommandLine.arguments
guard let loop = Loop(rawValue: arguments[1]), let rounds = Int(arguments[2]), rounds >= 20 else {
    print("HeapLoops \(Loop.allCases.map(\.rawValue).joined(separator: "|")) ROUNDS [FILE]")
    exit(2)
}
let stack = try ContextStack(
    for: Shop.self, Order.self, Ware.self, Tag.self,
    at: arguments.count > 3 ? .file(arguments[3]) : .inMemory)
try Loop.seed(stack)

/// Runs the loop in a function, so that none of its objects is a global.
@Sendable func run(_ loop: Loop, rounds: Int, _ stack: ContextStack) throws {
    let context = stack.newContext()
    // Uses the peak of a tenth of the rounds, because some loops gather changes and save them
    // later.
    var (early, late) = (0, 0)
    for round in 0..<rounds {
        try loop.run(round, context, stack)
        switch round * 10 / rounds {
        case 1: early = max(early, heap_bytes_in_use())
        case 9: late = max(late, heap_bytes_in_use())
        default: break
        }
    }
    print("\(early) \(late) \(context.registeredObjectCount)")
}

// Runs on another thread: a warning about the main thread would load symbol names, which stay in
// memory.
Thread.detachNewThread { [stack] in
    do {
        try run(loop, rounds: rounds, stack)
        exit(0)
    } catch {
        print(error)
        exit(1)
    }
}
// Lets the default context merge the saves. Otherwise, it would keep up to 20,000 of their rows.
dispatchMain()
