/// The changes in a tree's contexts on which other changes are based, and the changes that were
/// given up.
struct TreeOrigins {
    /// The current changes, by context and number. A push adds the child's changes to the parent's.
    private var current: [Int: [Int: Set<Int>]] = [:]
    /// The changes of values that were set back. A context may still count such an object as
    /// changed when it is rolled back.
    private var ended: [Int: Set<Int>] = [:]
    private(set) var discarded: Set<Int> = []
    private(set) var perhapsGivenUp: Set<Int> = []
    private var last = 0

    mutating func origin(of number: Int, in node: Int) -> Int {
        if let known = current[node]?[number]?.max() { return known }
        last += 1
        current[node, default: [:]][number] = [last]
        return last
    }

    mutating func end(_ number: Int, in node: Int) {
        guard let origins = current[node]?.removeValue(forKey: number) else { return }
        ended[node, default: []].formUnion(origins)
    }

    mutating func giveUp(in node: Int) {
        for origins in (current.removeValue(forKey: node) ?? [:]).values {
            discarded.formUnion(origins)
        }
        perhapsGivenUp.formUnion(ended.removeValue(forKey: node) ?? [])
    }

    /// - Parameter isChange: true if the parent's value differs from the value below it.
    mutating func push(_ number: Int, from node: Int, to parent: Int, isChange: Bool) {
        guard let origins = current[node]?.removeValue(forKey: number) else { return }
        if isChange {
            current[parent, default: [:]][number, default: []].formUnion(origins)
        } else {
            ended[parent, default: []].formUnion(origins)
        }
    }

    /// - Returns: the saved changes.
    mutating func save(in node: Int) -> Set<Int> {
        let saved = (current.removeValue(forKey: node) ?? [:]).values.reduce(into: Set<Int>()) {
            $0.formUnion($1)
        }
        return saved.union(ended.removeValue(forKey: node) ?? [])
    }
}
