import Foundation
import HeapUse
import RecordStack

// Runs a loop and prints how many bytes the allocator had handed out after a tenth of the rounds and at the end:
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
func run(_ loop: Loop, rounds: Int, _ stack: ContextStack) throws {
    let context = stack.newContext()
    var early = heap_bytes_in_use()
    for round in 0..<rounds {
        try loop.run(round, context, stack)
        if round == rounds / 10 { early = heap_bytes_in_use() }
    }
    print("\(early) \(heap_bytes_in_use()) \(context.registeredObjectCount)")
}

try run(loop, rounds: rounds, stack)
