/// The changes of an object by both sides.
struct MergeCase {
    enum Change: Equatable {
        case none
        /// Sets the property to one of its values, the one that it has included.
        case sets(Int)
        case deletes
        /// Deletes the object, which a third context brings back by saving over the deletion.
        case bringsBack
    }

    /// The value that both sides begin with.
    let base: Int
    let ours: Change
    let theirs: Change
    /// Whether each side changes a property of its own as well.
    let isWide: Bool

    /// All, without those that only exchange the names of two values.
    /// - Parameter isWhole: whether objects are deleted, too.
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
