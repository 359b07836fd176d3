/// An object on which a filter is evaluated in memory.
package protocol FilterSubject {
    var key: Int64 { get }
    func storedValue(at slot: Int) throws -> StoredValue
    /// Returns the object to which a to-one relationship refers.
    func related(_ step: FilterPath.Step) throws -> Self?
    /// Returns the members of one of the object's to-many relationships.
    func members(_ relation: FilterRelation) throws -> [Self]
}

/// The objects at which a filter's paths can begin.
package struct FilterScopes<Subject: FilterSubject> {
    private let root: Subject
    private var members: [Subject] = []

    package init(_ root: Subject) {
        self.root = root
    }

    func adding(_ member: Subject) -> Self {
        var copy = self
        copy.members.append(member)
        return copy
    }

    /// Returns the object at the end of to-one steps; nil if one of the relationships is nil.
    func subject(_ scope: FilterScope, _ steps: [FilterPath.Step]) throws -> Subject? {
        var subject: Subject
        switch scope {
        case .root: subject = root
        case .member(let level): subject = members[members.count - 1 - level]
        case .open: throw RecordStackError.openScope
        }
        for step in steps {
            guard let next = try subject.related(step) else { return nil }
            subject = next
        }
        return subject
    }

    func value(at path: FilterPath) throws -> StoredValue {
        guard let subject = try subject(path.scope, path.steps) else { return .null }
        if path.slot == FilterPath.keySlot { return .integer(subject.key) }
        return try subject.storedValue(at: path.slot)
    }

    func members(of relation: FilterRelation) throws -> [Subject] {
        try subject(relation.scope, relation.steps)?.members(relation) ?? []
    }
}

extension Filter.Node {
    /// Whether the filter is true for an object.
    package func isTrue<Subject: FilterSubject>(for subject: Subject) throws -> Bool {
        try isTrue(in: FilterScopes(subject))
    }

    func isTrue<Subject: FilterSubject>(in scopes: FilterScopes<Subject>) throws -> Bool {
        switch self {
        case .constant(let value): return value
        case .not(let node): return try !node.isTrue(in: scopes)
        case .and(let chain): return try chain.allSatisfy { try $0.isTrue(in: scopes) }
        case .or(let chain): return try chain.contains { try $0.isTrue(in: scopes) }
        case .isNull(let operand): return try operand.value(in: scopes).isNull
        case .compare(let a, let comparison, let b, let options):
            return try Self.compare(a, comparison, b, options, in: scopes)
        case .text(let a, let match, let b, let options):
            guard case .text(let text) = try a.value(in: scopes),
                case .text(let pattern) = try b.value(in: scopes)
            else { return false }
            return try TextMatcher(match, pattern, options).holds(text)
        case .among(let operand, let values, let options):
            return values.contains(try operand.value(in: scopes), options)
        case .quantified(let quantifier, let relation, let node):
            let found = try scopes.members(of: relation).contains {
                try node.isTrue(in: scopes.adding($0))
            }
            return found == (quantifier == .any)
        case .refers(let path, let ids):
            guard case .integer(let key) = try scopes.value(at: path) else { return false }
            return ids.contains { $0.key == key }
        case .kept(let path, let keys):
            guard case .integer(let key) = try scopes.value(at: path) else { return true }
            return !keys.contains(key)
        case .format(let format): return try format.condition(inAny: nil).isTrue(in: scopes)
        case .invalid(let message): throw RecordStackError(.misuse, message)
        }
    }

    private static func compare<Subject: FilterSubject>(
        _ a: FilterOperand, _ comparison: Filter.Comparison, _ b: FilterOperand,
        _ options: TextOptions, in scopes: FilterScopes<Subject>
    ) throws -> Bool {
        let (mine, other) = (try a.value(in: scopes), try b.value(in: scopes))
        if mine.isNull || other.isNull {
            switch comparison {
            case .equal: return mine.isNull && other.isNull
            case .notEqual: return !(mine.isNull && other.isNull)
            default: return false
            }
        }
        return comparison.holds(mine.compare(to: other, options, order(of: a, b)))
    }

    /// Returns the collation of the first operand, or of the second if the first is binary.
    package static func order(of a: FilterOperand, _ b: FilterOperand) -> Collation {
        a.collation == .binary ? b.collation : a.collation
    }
}

extension StoredValue {
    func compare(
        to other: StoredValue, _ options: TextOptions, _ collation: Collation
    ) -> Order {
        if case .text(let a) = self, case .text(let b) = other {
            return options.compare(a, b, collation)
        }
        return compare(to: other)
    }
}

extension FilterOperand {
    /// Returns the value for an object.
    package func value<Subject: FilterSubject>(for subject: Subject) throws -> StoredValue {
        try value(in: FilterScopes(subject))
    }

    func value<Subject: FilterSubject>(in scopes: FilterScopes<Subject>) throws -> StoredValue {
        switch self {
        case .value(let value): return value
        case .path(let path): return try scopes.value(at: path)
        case .arithmetic(let operation, let a, let b):
            return operation.apply(
                try a.value(in: scopes), try b.value(in: scopes),
                isDecimal: collation == .decimal)
        case .function(let function, let operand):
            return function.apply(try operand.value(in: scopes))
        case .aggregate(let aggregate): return try aggregate.value(in: scopes)
        }
    }
}

extension FilterAggregate {
    fileprivate func value<Subject: FilterSubject>(
        in scopes: FilterScopes<Subject>
    ) throws -> StoredValue {
        var summary = ValueSummary()
        let collation = operand?.collation ?? .binary
        for member in try scopes.members(of: relation) {
            let inner = scopes.adding(member)
            if try filter?.isTrue(in: inner) == false { continue }
            summary.add(try operand?.value(in: inner) ?? .integer(1), collation)
        }
        return try summary.result(of: kind, collation)
    }
}

extension RecordStackError {
    package static var openScope: RecordStackError {
        RecordStackError(
            .misuse,
            "A filter names a member's property outside of the closure that the member was handed to."
        )
    }
}
