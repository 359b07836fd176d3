/// A rule that resolves conflicts when a context saves or pushes.
///
/// An object is in conflict if the same property was changed both in the context and elsewhere
/// since the context read the object. It is also in conflict if one side changed the object and the
/// other side deleted it.
///
/// ```swift
/// let context = stack.newContext()
/// context.mergePolicy = .objectTrump
/// …
/// try await context.save()                                // with the context's policy
/// try await context.save(mergePolicy: .storeTrump)        // with another one
/// ```
///
/// *Ours* is the value in the context. *Theirs* is the value in the store or, for a child, an
/// unsaved value of its parent. *Base* is the value from which both sides started. The policies
/// have Core Data's names, except that Core Data calls the two trump policies *merge by property*.
/// The table is about an object that both sides have changed or deleted. Its three *changed*
/// columns are about one property of that object.
///
/// | policy | changed here | changed there | changed on both sides | deleted there | deleted here |
/// |---|---|---|---|---|---|
/// | ``error`` | ours | theirs | the save throws | the save throws | the save throws |
/// | ``storeTrump`` | ours | theirs | theirs | stays deleted | is restored |
/// | ``objectTrump`` | ours | theirs | ours | is re-inserted | is deleted |
/// | ``overwrite`` | ours | ours | ours | is re-inserted | is deleted |
/// | ``rollback`` | theirs | theirs | theirs | stays deleted | is restored |
///
/// ``overwrite`` and ``rollback`` resolve the object as a whole. Between a child and its parent,
/// they apply only to conflicts. ``overwrite`` writes exactly the values that the object shows.
/// These include values of other saves that the context has already merged.
public struct MergePolicy: Sendable {
    package enum Rule: Sendable {
        case decided(MergeDecision)
        case custom(@Sendable (MergeConflict) throws -> MergeDecision)
    }

    package let rule: Rule

    /// Fails the save with ``RecordStackError/Code/conflict``, which lists all conflicts.
    ///
    /// The save writes nothing. This is the default.
    public static let error = MergePolicy(rule: .decided(.fail))
    /// Keeps *theirs* for each property that both sides changed.
    public static let storeTrump = MergePolicy(rule: .decided(.storeTrump))
    /// Writes *ours* for each property that both sides changed.
    public static let objectTrump = MergePolicy(rule: .decided(.objectTrump))
    /// Writes the object as the context shows it, and overwrites changes made elsewhere.
    public static let overwrite = MergePolicy(rule: .decided(.overwrite))
    /// Discards the object's changes if the object was also changed elsewhere.
    public static let rollback = MergePolicy(rule: .decided(.rollback))

    /// Returns a policy that decides each conflict with a closure.
    ///
    /// The closure decides about objects with properties that both sides changed, and about objects
    /// that one side changed and the other deleted.
    ///
    /// ```swift
    /// context.mergePolicy = .custom { conflict in
    ///     guard conflict.kind == .changedOnBothSides else { return .fail }
    ///     guard let count = conflict.properties.first(where: { $0.name == "count" }),
    ///         case (let base?, let ours?, let theirs?) = count.values(as: Int.self)
    ///     else { return .objectTrump }
    ///     return .values(["count": theirs + ours - base])
    /// }
    /// ```
    ///
    /// - Parameter decide: called once for each conflict, sometimes on another thread while the
    ///   save is being written. It must not use a stack. If it throws an error, the save throws the
    ///   same error.
    public static func custom(
        _ decide: @escaping @Sendable (MergeConflict) throws -> MergeDecision
    ) -> MergePolicy {
        MergePolicy(rule: .custom(decide))
    }

    /// Whether every conflict fails the save.
    package var alwaysFails: Bool {
        if case .decided(let decision) = rule, case .fail = decision.kind { true } else { false }
    }

    /// The decision for objects as a whole, even where both sides changed different properties.
    ///
    /// Nil if the policy decides property by property.
    package var ofWholeObjects: MergeDecision? {
        guard case .decided(let decision) = rule else { return nil }
        switch decision.kind {
        case .overwrite, .rollback: return decision
        default: return nil
        }
    }

    package func decision(on conflict: MergeConflict) throws -> MergeDecision {
        switch rule {
        case .decided(let decision): decision
        case .custom(let decide): try decide(conflict)
        }
    }
}

/// The decision of a ``MergePolicy/custom(_:)`` policy about one object.
///
/// ```swift
/// context.mergePolicy = .custom { $0.kind == .deletedElsewhere ? .rollback : .objectTrump }
/// ```
public struct MergeDecision: Sendable {
    package enum Kind: Sendable {
        case fail, storeTrump, objectTrump, overwrite, rollback
        case values([String: any AttributeValue])
    }

    package let kind: Kind

    /// Fails the save with a conflict error.
    public static let fail = MergeDecision(kind: .fail)
    /// Resolves the conflict as ``MergePolicy/storeTrump`` does.
    public static let storeTrump = MergeDecision(kind: .storeTrump)
    /// Resolves the conflict as ``MergePolicy/objectTrump`` does.
    public static let objectTrump = MergeDecision(kind: .objectTrump)
    /// Resolves the conflict as ``MergePolicy/overwrite`` does.
    public static let overwrite = MergeDecision(kind: .overwrite)
    /// Resolves the conflict as ``MergePolicy/rollback`` does.
    public static let rollback = MergeDecision(kind: .rollback)

    /// Returns a decision that sets attributes to the given values.
    ///
    /// Any other property that both sides changed keeps *ours*.
    ///
    /// - Parameter values: the new values by attribute name. If the entity has no attribute with a
    ///   given name, or a value has the wrong type, the save throws
    ///   ``RecordStackError/Code/misuse``. If a value breaks a rule of its attribute, the save
    ///   throws ``RecordStackError/Code/validation``.
    public static func values(_ values: [String: any AttributeValue]) -> MergeDecision {
        MergeDecision(kind: .values(values))
    }
}
