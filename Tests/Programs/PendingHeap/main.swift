import Foundation
import HeapUse
import RecordStack

//     PendingHeap OBJECTS SHARING
//
// Prints bytes per unsaved object. The first line is for an index in which SHARING objects have
// each value, and for a memo of all objects. The second line is for the rest of both after a save.
// The third line is for an index and a memo of the stored rows of the objects.

@Entity final class Ticket: ManagedObject {
    @Attribute var number: Int = 0
    @Attribute var group: Int = 0
}

let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
guard arguments.count == 2 else {
    print("PendingHeap OBJECTS SHARING")
    exit(2)
}
let (count, sharing) = (arguments[0], arguments[1])

/// Returns the bytes in use after each of some steps.
func run(asking: Bool) throws -> [Int] {
    var options = StoreOptions()
    // On a slow machine, a warning about the main thread would load symbol names, which stay in
    // memory.
    options.watching.warnings = false
    let stack = try ContextStack(for: Ticket.self, at: .inMemory, options: options)
    let context = stack.newContext()
    for number in 0..<count {
        let ticket = try Ticket.create(in: context)
        ticket.number = number
        ticket.group = number / sharing
    }
    var steps: [Int] = []
    if asking {
        // This creates the set of keys and the first index.
        _ = try Ticket.findFirst(by: \.number, -1, in: context)
        steps.append(heap_bytes_in_use())
        _ = try Ticket.findFirst(by: \.group, -1, in: context)
        steps.append(heap_bytes_in_use())
        _ = try context.exists(Ticket.where { $0.number >= 0 })
        steps.append(heap_bytes_in_use())
    }
    try context.saveAndWait()
    _ = try Ticket.findFirst(by: \.number, -1, in: context)
    steps.append(heap_bytes_in_use())
    try stack.close()
    return steps
}

/// Returns the bytes in use before and after the context gets an index and a memo of the rows of
/// changed objects.
func runStored() throws -> [Int] {
    var options = StoreOptions()
    options.watching.warnings = false
    let stack = try ContextStack(for: Ticket.self, at: .inMemory, options: options)
    let context = stack.newContext()
    var tickets: [Ticket] = []
    for number in 0..<count {
        let ticket = try Ticket.create(in: context)
        ticket.number = number
        ticket.group = number / sharing
        tickets.append(ticket)
    }
    try context.saveAndWait()
    for ticket in tickets { (ticket.number, ticket.group) = (ticket.number + 1, -2) }
    var steps: [Int] = []
    // These create the set of keys, the index and memo of the current values, and the statements.
    _ = try Ticket.findFirst(by: \.group, -1, in: context)
    _ = try context.count(Ticket.where { $0.number >= 5 })
    steps.append(heap_bytes_in_use())
    _ = try context.count(Ticket.where { $0.group == -1 })
    steps.append(heap_bytes_in_use())
    let all = Ticket.where { $0.number >= 0 }
    _ = try context.exists(all)
    _ = try context.count(all)
    steps.append(heap_bytes_in_use())
    for _ in 0..<3 { _ = try context.count(all) }
    steps.append(heap_bytes_in_use())
    withExtendedLifetime(tickets) {}
    try stack.close()
    return steps
}

// The first run creates the objects that live as long as the process.
_ = try run(asking: true)
let silent = try run(asking: false)
let steps = try run(asking: true)
let repeated = try run(asking: false)
// The bytes in use vary by 0.1 MB between runs. An index that is not released shows in every run.
let again = try run(asking: true)
print((steps[1] - steps[0]) / count, (steps[2] - steps[1]) / count)
print((min(steps[3], again[3]) - max(silent[0], repeated[0])) / count)
let stored = try runStored()
print((stored[1] - stored[0]) / count, (stored[3] - stored[2]) / count)
