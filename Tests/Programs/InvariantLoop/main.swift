import Invariants
import RecordStack

// Performs steps that keep the invariants, in a process of its own, and says how many conflicts it met and what it saw
// that is wrong:
// InvariantLoop PATH STEPS
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
