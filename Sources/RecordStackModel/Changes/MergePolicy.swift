/// What becomes of an object that was changed here and elsewhere since it was read, when it is saved or
/// pushed.
///
/// ```swift
/// let context = stack.newContext()
/// context.mergePolicy = .objectTrump
/// …
/// try await context.save()                                // with the context's policy
/// try await context.save(mergePolicy: .storeTrump)        // with another one
/// ```
///
/// *Ours* is what the context has, *theirs* what the store has, or, for a child, what its parent has changed
/// and not saved. *Base* is what both began with. The names are Core Data's, where the trumps are called
/// merge by property.
///
/// | policy | changed here alone | changed there alone | changed on both sides | deleted there | deleted here |
/// |---|---|---|---|---|---|
/// | ``error`` | ours | theirs | the save throws | the save throws | the save throws |
/// | ``storeTrump`` | ours | theirs | theirs | stays deleted | is there again |
/// | ``objectTrump`` | ours | theirs | ours | is there again | is deleted |
/// | ``overwrite`` | ours | ours | ours | is there again | is deleted |
/// | ``rollback`` | theirs | theirs | theirs | stays deleted | is there again |
///
/// The last two take the object as a whole. What others had saved when the object was last looked at is
/// part of the object: ``overwrite`` writes what the object shows.
public struct MergePolicy: Sendable {
    package enum Rule: Sendable {
        case decided(MergeDecision)
        case custom(@Sendable (MergeConflict) throws -> MergeDecision)
    }

    package let rule: Rule

    /// The save throws ``RecordStackError/Code/conflict``, with all conflicts, and writes nothing. The default.
    public static let error = MergePolicy(rule: .decided(.fail))
    /// Of properties that were changed on both sides, theirs are kept.
    public static let storeTrump = MergePolicy(rule: .decided(.storeTrump))
    /// Of properties that were changed on both sides, ours are written.
    public static let objectTrump = MergePolicy(rule: .decided(.objectTrump))
    /// The row becomes what the object shows, whatever others have changed of it.
    public static let overwrite = MergePolicy(rule: .decided(.overwrite))
    /// The object's changes are given up where others have changed anything of it.
    public static let rollback = MergePolicy(rule: .decided(.rollback))

    /// A rule of your own for properties that were changed on both sides, and for objects that one side deleted.
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
    /// - Parameter decide: called once for each conflict, sometimes while the save is being written and on
    ///   another thread. It must not use a stack. What it throws is thrown by the save.
    public static func custom(
        _ decide: @escaping @Sendable (MergeConflict) throws -> MergeDecision
    ) -> MergePolicy {
        MergePolicy(rule: .custom(decide))
    }

    /// Whether every conflict fails the save.
    package var alwaysFails: Bool {
        if case .decided(let decision) = rule, case .fail = decision.kind { true } else { false }
    }

    /// What is decided of whole objects, whether or not both sides changed the same.
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

/// What ``MergePolicy/custom(_:)`` decides of one object.
///
/// ```swift
/// context.mergePolicy = .custom { $0.kind == .deletedThere ? .rollback : .objectTrump }
/// ```
public struct MergeDecision: Sendable {
    package enum Kind: Sendable {
        case fail, storeTrump, objectTrump, overwrite, rollback
        case values([String: any AttributeValue])
    }

    package let kind: Kind

    /// The save throws the conflict.
    public static let fail = MergeDecision(kind: .fail)
    /// As ``MergePolicy/storeTrump`` does.
    public static let storeTrump = MergeDecision(kind: .storeTrump)
    /// As ``MergePolicy/objectTrump`` does.
    public static let objectTrump = MergeDecision(kind: .objectTrump)
    /// As ``MergePolicy/overwrite`` does.
    public static let overwrite = MergeDecision(kind: .overwrite)
    /// As ``MergePolicy/rollback`` does.
    public static let rollback = MergeDecision(kind: .rollback)

    /// Gives attributes values that neither side has. Other properties that both changed are ours.
    ///
    /// - Parameter values: by the names of attributes. A name that the entity does not have, and a value that
    ///   is none of the attribute's, make the save throw ``RecordStackError/Code/misuse``; a value that the
    ///   attribute's rules refuse, ``RecordStackError/Code/validation``.
    public static func values(_ values: [String: any AttributeValue]) -> MergeDecision {
        MergeDecision(kind: .values(values))
    }
}
