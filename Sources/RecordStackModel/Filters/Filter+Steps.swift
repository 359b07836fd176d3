extension Filter.Node {
    /// The to-one steps that the filter's paths take; nil if the paths take different steps.
    ///
    /// The value is also nil if a path does not begin at the object
    /// itself, or if the filter reads anything else.
    package var commonSteps: [FilterPath.Step]? {
        var common: [FilterPath.Step]?
        var isCommon = true
        forEachPart { part in
            guard isCommon, case .path(let path) = part, path.scope == .root,
                !path.steps.isEmpty, common == nil || common == path.steps
            else {
                isCommon = false
                return
            }
            common = path.steps
        }
        return isCommon ? common : nil
    }

    /// Returns the filter as a condition on the object at the end of its first steps.
    ///
    /// Every path must take at least `count` steps.
    package func behindSteps(_ count: Int) -> Filter.Node {
        mapping(
            FilterMapping { path, _ in
                FilterPath(
                    scope: path.scope, steps: Array(path.steps.dropFirst(count)), slot: path.slot,
                    collation: path.collation)
            })
    }

    /// Whether the filter is true for an object whose to-one relationships are nil.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for an invalid filter.
    package func isTrueForNothing() throws -> Bool { try isTrue(for: NoSubject()) }

    /// Whether a condition on members reads only the member's own values.
    package var staysOnMember: Bool {
        var stays = true
        forEachPart { part in
            guard case .path(let path) = part, path.scope == .member(0), path.steps.isEmpty else {
                stays = false
                return
            }
        }
        return stays
    }

    /// The condition on members, as a filter about the member's entity.
    package var aboutMember: Filter.Node {
        mapping(FilterMapping { path, _ in path.begun(at: .root) })
    }
}

extension FilterPath {
    fileprivate func begun(at scope: FilterScope) -> FilterPath {
        FilterPath(scope: scope, steps: steps, slot: slot, collation: collation)
    }
}

/// An object without values.
private struct NoSubject: FilterSubject {
    var key: Int64 { 0 }

    func storedValue(at slot: Int) -> StoredValue { .null }

    func related(_ step: FilterPath.Step) -> NoSubject? { nil }

    func members(_ relation: FilterRelation) -> [NoSubject] { [] }
}
