/// A property and its new value in the closure of an update.
///
/// ```swift
/// try await stack.update(Person.where { $0.age >= 18 }) {
///     $0.visits += 1
///     $0.name.set(to: $0.name.lowercased())
///     $0.team.set(to: best.objectID)
/// }
/// ```
///
/// SQLite computes all new values from the old ones, so the order of the assignments does not
/// matter.
public struct Assignment: Sendable, Hashable {
    package let slot: Int
    package let value: FilterOperand
    /// The object that a relationship will refer to, which must be in the same store.
    package let target: ManagedObjectID?
    package let isRelationship: Bool
    package let problem: String

    package init(_ path: FilterOperand?, to value: FilterOperand?, problem: String) {
        var problem = problem
        var slot = 0
        if case .path(let path)? = path, path.steps.isEmpty, case .root = path.scope, path.slot >= 0
        {
            slot = path.slot
        } else if problem.isEmpty {
            problem = Self.notOwn
        }
        self.slot = slot
        self.value = value ?? .value(.null)
        self.problem = problem
        target = nil
        isRelationship = false
    }

    package init(_ path: FilterPath?, referringTo target: ManagedObjectID?, problem: String) {
        let isOwn = path.map { $0.steps.isEmpty && $0.scope == .root } ?? true
        slot = path?.slot ?? 0
        value = .value(target.map { .integer($0.key) } ?? .null)
        self.target = target
        self.problem = problem.isEmpty && !isOwn ? Self.notOwn : problem
        isRelationship = true
    }

    private static let notOwn =
        "An update can set the attributes and to-one relationships of the entity itself, and neither what "
        + "they refer to nor what is computed of them."
}

/// Collects the assignments in the closure of an update.
@resultBuilder
public enum AssignmentBuilder {
    /// Returns an assignment as a list.
    public static func buildExpression(_ assignment: Assignment) -> [Assignment] { [assignment] }
    /// Returns the given assignments.
    public static func buildExpression(_ assignments: [Assignment]) -> [Assignment] { assignments }
    /// Joins the assignments of all lines.
    public static func buildBlock(_ parts: [Assignment]...) -> [Assignment] { parts.flatMap { $0 } }
    /// Returns the assignments of an `if` without `else`, or no assignments.
    public static func buildOptional(_ part: [Assignment]?) -> [Assignment] { part ?? [] }
    /// Returns the assignments of an `if`.
    public static func buildEither(first: [Assignment]) -> [Assignment] { first }
    /// Returns the assignments of an `else`.
    public static func buildEither(second: [Assignment]) -> [Assignment] { second }
}

extension FilterExpression {
    /// Sets the attribute to a value in an update.
    public func set(to value: Value) -> Assignment {
        Assignment(operand, to: .value(value.storedValue), problem: problem)
    }

    /// Sets the attribute in an update to a value computed from the object's old values.
    public func set(to value: FilterExpression) -> Assignment {
        Assignment(operand, to: value.operand, problem: problem + value.problem)
    }

    /// Sets an optional attribute in an update to a value computed from the object's old values.
    public func set<Wrapped>(to value: FilterExpression<Wrapped>) -> Assignment
    where Value == Wrapped? {
        Assignment(operand, to: value.operand, problem: problem + value.problem)
    }
}

extension FilterExpression where Value: SummableValue {
    /// Adds a value to the attribute in an update.
    public static func += (lhs: FilterExpression, rhs: Value) -> Assignment {
        lhs.set(to: lhs + rhs)
    }

    /// Subtracts a value from the attribute in an update.
    public static func -= (lhs: FilterExpression, rhs: Value) -> Assignment {
        lhs.set(to: lhs - rhs)
    }

    /// Multiplies the attribute by a value in an update.
    public static func *= (lhs: FilterExpression, rhs: Value) -> Assignment {
        lhs.set(to: lhs * rhs)
    }
}

extension RelationshipReference {
    /// Sets the relationship in an update to the object with the ID, or to nil.
    public func set(to id: ManagedObjectID?) -> Assignment {
        Assignment(path, referringTo: id, problem: problem)
    }
}
