import Invariants
import RecordStack

// Performs steps that keep the invariants, in a process of its own. Prints the number of conflicts
// and the broken invariants that it saw:
//     InvariantLoop PATH STEPS
let stack = try InvariantStore.open(CommandLine.arguments[1])
var random = SystemRandomNumberGenerator()
var conflicts = 0
var problems: [String] = []
for _ in 0..<Int(CommandLine.arguments[2])! {
    let step = InvariantStep(using: &random)
    while true {
        do {
            try await stack.saveWithBlock { try step.perform(in: $0) }
            break
        } catch let error as RecordStackError
            where [.conflict, .busy, .constraint].contains(error.code)
        {
            conflicts += 1
        }
    }
    problems += try await stack.read { context in
        try InvariantView(in: context).problems()
    }
}
try stack.close()
print("\(conflicts) \(problems.count) \(problems.first ?? "")")
