/// The path from a row to the value being imported, turned into text only for messages.
struct ImportPath {
    enum Step {
        case key(String)
        case index(Int)
    }

    private var steps: [Step] = []

    var isEmpty: Bool { steps.isEmpty }

    mutating func push(_ step: Step) { steps.append(step) }

    mutating func pop() { steps.removeLast() }

    /// The keys and indexes, separated by dots.
    var text: String {
        steps.map { step in
            switch step {
            case .key(let key): key
            case .index(let index): "\(index)"
            }
        }.joined(separator: ".")
    }
}
