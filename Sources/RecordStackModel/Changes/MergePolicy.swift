/// A rule that resolves conflicts when a context saves or pushes.
///
/// An object is in conflict if it was changed both in the context and elsewhere since the
/// context read it.
///
/// ```swift
/// let context = stack.newContext()
/// context.mergePolicy = .objectTrump
/// …
/// try await context.save()                                // with the context's policy
/// try await context.save(mergePolicy: .storeTrump)        // with another one
/// ```
///
/// *Ours* is the context's value. *Theirs* is the value in the store or, for a child, a value that
/// its parent has changed and not saved. *Base* is the value that both sides started from. The
/// names are Core Data's, which calls the two trump policies *merge by property*.
///
/// | policy | changed here | changed there | changed on both sides | deleted there | deleted here |
/// |---|---|---|---|---|---|
/// | ``error`` | ours | theirs | the save throws | the save throws | the save throws |
/// | ``storeTrump`` | ours | theirs | theirs | stays deleted | is restored |
/// | ``objectTrump`` | ours | theirs | ours | is re-inserted | is deleted |
/// | ``overwrite`` | ours | ours | ours | is re-inserted | is deleted |
/// | ``rollback`` | theirs | theirs | theirs | stays deleted | is restored |
///
/// ``overwrite`` and ``rollback`` treat the object as a whole. An object includes the saves that
/// its context has already merged, so ``overwrite`` writes exactly what the object shows.
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
    /// Keeps their values of properties that were changed on both sides.
    public static let storeTrump = MergePolicy(rule: .decided(.storeTrump))
    /// Writes our values of properties that were changed on both sides.
    public static let objectTrump = MergePolicy(rule: .decided(.objectTrump))
    /// Writes the object as the context shows it, over any changes made elsewhere.
    public static let overwrite = MergePolicy(rule: .decided(.overwrite))
    /// Discards the object's changes if anything in it was changed elsewhere.
    public static let rollback = MergePolicy(rule: .decided(.rollback))

    /// Returns a policy that decides each conflict with a closure.
    ///
    /// A conflict is an object with properties that were changed on both sides, or an
    /// object that one side deleted.
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
    ///   save is being written. It must not use a stack. The save rethrows its errors.
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

    /// Fails the save with the conflict.
    public static let fail = MergeDecision(kind: .fail)
    /// Decides as ``MergePolicy/storeTrump`` does.
    public static let storeTrump = MergeDecision(kind: .storeTrump)
    /// Decides as ``MergePolicy/objectTrump`` does.
    public static let objectTrump = MergeDecision(kind: .objectTrump)
    /// Decides as ``MergePolicy/overwrite`` does.
    public static let overwrite = MergeDecision(kind: .overwrite)
    /// Decides as ``MergePolicy/rollback`` does.
    public static let rollback = MergeDecision(kind: .rollback)

    /// Returns a decision that gives attributes values of your choice.
    ///
    /// Other properties that both sides changed keep our value.
    ///
    /// - Parameter values: the new values by attribute name. The save throws
    ///   ``RecordStackError/Code/misuse`` for a name that the entity does not have and for a value
    ///   of the wrong type, and ``RecordStackError/Code/validation`` for a value that breaks a
    ///   rule of the attribute.
    public static func values(_ values: [String: any AttributeValue]) -> MergeDecision {
        MergeDecision(kind: .values(values))
    }
}
