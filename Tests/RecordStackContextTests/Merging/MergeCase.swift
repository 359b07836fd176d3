/// The changes that both sides make to an object.
struct MergeCase {
    enum Change: Equatable {
        case none
        /// Sets the property to one of its values, given by index.
        case sets(Int)
        case deletes
        /// Deletes the object. A third context re-inserts it by saving over the deletion.
        case bringsBack
    }

    /// The index of the value that both sides start with.
    let base: Int
    let ours: Change
    let theirs: Change
    /// True if each side also changes a property that the other side leaves alone.
    let isWide: Bool

    /// Returns all cases, except those that only swap the names of two values.
    /// - Parameter isWhole: true to include deletions.
    static func all(isWhole: Bool, isWide: Bool) -> [MergeCase] {
        let sets = [Change.none] + (0..<3).map { Change.sets($0) }
        var cases: [MergeCase] = []
        for base in 0..<2 {
            for ours in isWhole ? sets + [.deletes] : sets {
                for theirs in isWhole ? sets + [.deletes, .bringsBack] : sets {
                    let isDeletion = ours == .deletes || theirs == .deletes || theirs == .bringsBack
                    if isDeletion && base != 0 { continue }
                    cases.append(
                        MergeCase(base: base, ours: ours, theirs: theirs, isWide: isWide))
                }
            }
        }
        return cases
    }

    func text(of property: MergedProperty) -> String {
        func name(_ change: Change) -> String {
            switch change {
            case .none: "-"
            case .sets(let place): property.values[place]
            case .deletes: "deleted"
            case .bringsBack: "back"
            }
        }
        let sides = [property.values[base], name(ours), name(theirs)].joined(separator: " ")
        return "\(property.name) \(isWide ? "wide " : "")\(sides)"
    }
}
