package import FoundationEssentials

extension Filter.Node {
    /// Returns the filter in the form in which a store evaluates it.
    ///
    /// - Parameter entity: the entity whose objects are requested; nil for a condition on groups.
    /// - Throws: the problem of an invalid filter.
    package func resolved(
        in store: UUID, asking entity: EntityDescription?
    ) throws -> Filter.Node {
        try resolved(in: store, reading: entity.map { FormatScope($0) })
    }

    /// Returns the filter in the form in which a store evaluates it.
    ///
    /// - Parameter scope: the objects that the names in a format string
    ///   refer to; nil if there are no such objects.
    func resolved(in store: UUID, reading scope: FormatScope?) throws -> Filter.Node {
        isPlain ? self : try resolvedPart(in: store, reading: scope)
    }

    /// Whether the filter compares only values and attributes of the object itself.
    ///
    /// Such a filter needs no resolving and cannot be invalid. Most filters are of this kind.
    private var isPlain: Bool {
        switch self {
        case .constant: true
        case .not(let node): node.isPlain
        case .and(let chain), .or(let chain):
            chain.count <= FilterChain.fewTerms && chain.allSatisfy(\.isPlain)
        case .isNull(let operand), .among(let operand, _, _): operand.isPlain
        case .compare(let a, _, let b, _): a.isPlain && b.isPlain
        case .text, .quantified, .refers, .kept, .format, .invalid: false
        }
    }

    private func resolvedPart(
        in store: UUID, reading scope: FormatScope?
    ) throws -> Filter.Node {
        switch self {
        case .not(let node): return .not(try node.resolved(in: store, reading: scope))
        case .and(let chain):
            return .allOf(
                try chain.resolvedTerms(in: store, reading: scope, comparison: .notEqual))
        case .or(let chain):
            return .anyOf(
                try chain.resolvedTerms(in: store, reading: scope, comparison: .equal))
        case .refers(let path, let ids):
            try path.scope.check()
            if let id = ids.first(where: { $0.storeUUID != store }) {
                throw RecordStackError(
                    .misuse,
                    "A relationship was compared with \(id), which is of another store than \(store).",
                    objectID: id)
            }
            if ids.count == 1 { return .compare(path, .equal, .integer(ids[0].key)) }
            return ids.isEmpty
                ? .constant(false) : .among(path, ids.map { .integer($0.key) })
        case .format(let format):
            return try format.condition(inAny: scope).resolved(in: store, reading: scope)
        case .invalid(let message): throw RecordStackError(.misuse, message)
        case .isNull(let operand): return .isNull(try operand.resolved(in: store))
        case .compare(let a, let comparison, let b, let options):
            return .compare(
                try a.resolved(in: store), comparison, try b.resolved(in: store), options)
        case .text(let a, let match, let b, let options):
            let pattern = try b.resolved(in: store)
            // An invalid regular expression throws before any row is read.
            if match == .matches, case .value(.text(let text)) = pattern {
                _ = try TextMatcher(match, text, options)
            }
            return .text(try a.resolved(in: store), match, pattern, options)
        case .among(let operand, let values, let options):
            return .among(try operand.resolved(in: store), values, options)
        case .quantified(let quantifier, let relation, let node):
            try relation.scope.check()
            return .quantified(
                quantifier, relation,
                try node.resolved(in: store, reading: FormatScope(member: relation.destination)))
        case .constant, .kept: return self
        }
    }
}

extension Filter.Node {
    /// Returns the filter with each format string replaced by its condition.
    func reading(in scope: FormatScope) throws -> Filter.Node {
        switch self {
        case .format(let format): try format.condition(in: scope)
        case .not(let node): .not(try node.reading(in: scope))
        case .and(let chain): .and(try chain.map { try $0.reading(in: scope) })
        case .or(let chain): .or(try chain.map { try $0.reading(in: scope) })
        case .quantified(let quantifier, let relation, let node):
            .quantified(
                quantifier, relation,
                try node.reading(in: FormatScope(member: relation.destination)))
        default: self
        }
    }
}

extension FilterOperand {
    fileprivate var isPlain: Bool {
        switch self {
        case .value: true
        case .path(let path): path.scope == .root
        default: false
        }
    }

    package func resolved(in store: UUID) throws -> FilterOperand {
        switch self {
        case .value: return self
        case .path(let path):
            try path.scope.check()
            return self
        case .arithmetic(let operation, let a, let b):
            return .arithmetic(operation, try a.resolved(in: store), try b.resolved(in: store))
        case .function(let function, let operand):
            return .function(function, try operand.resolved(in: store))
        case .aggregate(let aggregate):
            try aggregate.relation.scope.check()
            return .aggregate(
                FilterAggregate(
                    aggregate.kind, aggregate.relation,
                    of: try aggregate.operand?.resolved(in: store),
                    where: try aggregate.filter?.resolved(
                        in: store, reading: FormatScope(member: aggregate.relation.destination))))
        }
    }
}

extension SortTerm {
    package func resolved(in store: UUID) throws -> SortTerm {
        if case .path(let path) = operand {
            try path.scope.check()
            return self
        }
        return SortTerm(
            try operand.resolved(in: store), isAscending: isAscending, options: options,
            nulls: nulls)
    }
}

extension FilterScope {
    fileprivate func check() throws {
        if case .open = self { throw RecordStackError.openScope }
    }
}
