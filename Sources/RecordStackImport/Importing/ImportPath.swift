/// The way from a row to what is being imported: it is made into text only where there is something to tell.
struct ImportPath {
    enum Step {
        case key(String)
        case index(Int)
    }

    private var steps: [Step] = []

    var isEmpty: Bool { steps.isEmpty }

    mutating func push(_ step: Step) { steps.append(step) }

    mutating func pop() { steps.removeLast() }

    /// The keys and indexes, divided by dots.
    var text: String {
        steps.map { step in
            switch step {
            case .key(let key): key
            case .index(let index): "\(index)"
            }
        }.joined(separator: ".")
    }
}
