/// A property and its new value, in the closure of an update.
///
/// ```swift
/// try await stack.update(Person.where { $0.age >= 18 }) {
///     $0.visits += 1
///     $0.name.set(to: $0.name.lowercased())
///     $0.team.set(to: best.objectID)
/// }
/// ```
///
/// The new values are made of the old ones: all at once, whatever the order.
public struct Assignment: Sendable, Hashable {
    package let slot: Int
    package let value: FilterOperand
    /// The object that a relationship is to refer to, which must be of the store.
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

/// Gathers the assignments of an update's closure.
@resultBuilder
public enum AssignmentBuilder {
    /// A property and its new value.
    public static func buildExpression(_ assignment: Assignment) -> [Assignment] { [assignment] }
    /// Several of them, made elsewhere.
    public static func buildExpression(_ assignments: [Assignment]) -> [Assignment] { assignments }
    /// All that are written one after the other.
    public static func buildBlock(_ parts: [Assignment]...) -> [Assignment] { parts.flatMap { $0 } }
    /// What an `if` without `else` says, or nothing.
    public static func buildOptional(_ part: [Assignment]?) -> [Assignment] { part ?? [] }
    /// What an `if` says.
    public static func buildEither(first: [Assignment]) -> [Assignment] { first }
    /// What an `else` says.
    public static func buildEither(second: [Assignment]) -> [Assignment] { second }
}

extension FilterExpression {
    /// Gives the attribute a new value in an update.
    public func set(to value: Value) -> Assignment {
        Assignment(operand, to: .value(value.storedValue), problem: problem)
    }

    /// Gives the attribute a new value in an update, which is made of the object's old ones.
    public func set(to value: FilterExpression) -> Assignment {
        Assignment(operand, to: value.operand, problem: problem + value.problem)
    }

    /// Gives an optional attribute a new value in an update, which is made of the object's old ones.
    public func set<Wrapped>(to value: FilterExpression<Wrapped>) -> Assignment
    where Value == Wrapped? {
        Assignment(operand, to: value.operand, problem: problem + value.problem)
    }
}

extension FilterExpression where Value: SummableValue {
    /// Adds to the attribute in an update.
    public static func += (lhs: FilterExpression, rhs: Value) -> Assignment {
        lhs.set(to: lhs + rhs)
    }

    /// Subtracts from the attribute in an update.
    public static func -= (lhs: FilterExpression, rhs: Value) -> Assignment {
        lhs.set(to: lhs - rhs)
    }

    /// Multiplies the attribute in an update.
    public static func *= (lhs: FilterExpression, rhs: Value) -> Assignment {
        lhs.set(to: lhs * rhs)
    }
}

extension RelationshipReference {
    /// Sets the relationship to an object in an update, or to nil.
    public func set(to id: ManagedObjectID?) -> Assignment {
        Assignment(path, referringTo: id, problem: problem)
    }
}
