import Dispatch
import Foundation
import HeapUse
import RecordStack

// Runs a loop and prints how many bytes the allocator had handed out at most in the second and in the last tenth of the rounds:
// HeapLoops LOOP ROUNDS MEMORY|FILE
let arguments = CommandLine.arguments
guard let loop = Loop(rawValue: arguments[1]), let rounds = Int(arguments[2]), rounds >= 20 else {
    print("HeapLoops \(Loop.allCases.map(\.rawValue).joined(separator: "|")) ROUNDS [FILE]")
    exit(2)
}
let stack = try ContextStack(
    for: Shop.self, Order.self, Ware.self, Tag.self,
    at: arguments.count > 3 ? .file(arguments[3]) : .inMemory)
try Loop.seed(stack)

/// Runs the loop in a function, so that no object of it is a global.
@Sendable func run(_ loop: Loop, rounds: Int, _ stack: ContextStack) throws {
    let context = stack.newContext()
    // The most of a tenth of the rounds: some loops save what they have gathered now and then.
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

// On another thread: a warning about the main one loads what names the place in the program, once and for good.
Thread.detachNewThread { [stack] in
    do {
        try run(loop, rounds: rounds, stack)
        exit(0)
    } catch {
        print(error)
        exit(1)
    }
}
// Has the default context hear of the saves, which it would keep up to 20,000 rows of.
dispatchMain()
