import RecordStackModel

/// A filter that reads only the object itself, as closures with unpacked values.
///
/// Evaluating ``Filter/Node`` resolves generic types at each term, and a memo evaluates its filter
/// for many objects.
struct CompiledFilter {
    /// Returns true if a loaded object matches.
    let isTrue: (ManagedObject) throws -> Bool

    /// Compiles a filter.
    ///
    /// - Parameter node: a filter that reads no relationship; nil for all objects.
    init(_ node: Filter.Node?) {
        isTrue = node.map(Self.closure) ?? { _ in true }
    }

    /// Creates a filter of the values in objects' rows.
    ///
    /// It is not compiled, because it is evaluated only once for each change.
    init(ofRows node: Filter.Node?) {
        isTrue = { try node?.isTrue(for: OwnSubject(object: $0, isRow: true)) ?? true }
    }

    private static func closure(_ node: Filter.Node) -> (ManagedObject) throws -> Bool {
        switch node {
        case .constant(let value): return { _ in value }
        case .not(let inner):
            let inner = closure(inner)
            return { try !inner($0) }
        case .and(let chain):
            let terms = chain.terms.map(closure)
            return { object in try terms.allSatisfy { try $0(object) } }
        case .or(let chain):
            let terms = chain.terms.map(closure)
            return { object in try terms.contains { try $0(object) } }
        case .isNull(.path(let path)) where path.slot != FilterPath.keySlot:
            let slot = path.slot
            return { $0.storedValue(at: slot).isNull }
        case .compare(.path(let path), let comparison, .value(let value), [])
        where path.slot != FilterPath.keySlot && !value.isNull:
            return self.comparison(path, comparison, value)
        case .text(.path(let path), let match, .value(.text(let pattern)), let options)
        where path.slot != FilterPath.keySlot:
            return text(path.slot, match, pattern, options)
        default: return { try node.isTrue(for: OwnSubject(object: $0)) }
        }
    }

    private static func comparison(
        _ path: FilterPath, _ comparison: Filter.Comparison, _ value: StoredValue
    ) -> (ManagedObject) -> Bool {
        let (slot, collation) = (path.slot, path.collation)
        // Null differs from every value and is neither less nor greater.
        let isTrueForNull = comparison == .notEqual
        if case .integer(let wanted) = value, collation == .binary {
            return { object in
                switch object.storedValue(at: slot) {
                case .integer(let mine): comparison.holds(Order(mine, wanted))
                case .null: isTrueForNull
                case let mine: comparison.holds(mine.compare(to: value))
                }
            }
        }
        return { object in
            let mine = object.storedValue(at: slot)
            return mine.isNull
                ? isTrueForNull : comparison.holds(mine.compare(to: value, collation))
        }
    }

    private static func text(
        _ slot: Int, _ match: Filter.TextMatch, _ pattern: String, _ options: TextOptions
    ) -> (ManagedObject) throws -> Bool {
        // The pattern is parsed once. An invalid pattern throws for the first text, as it does
        // without a memo.
        let matcher = Result { try TextMatcher(match, pattern, options) }
        return { object in
            guard case .text(let text) = object.storedValue(at: slot) else { return false }
            return try matcher.get().holds(text)
        }
    }
}
