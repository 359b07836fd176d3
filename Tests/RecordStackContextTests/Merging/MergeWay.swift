import RecordStack

/// The ways in which the changes of two sides are merged.
enum MergeWay: String, CaseIterable, Sendable {
    /// A save over another stack's save that the context has not merged.
    case save
    /// A save after the context has merged another context's save.
    case mergeAndSave = "merge and save"
    /// A push into a parent that has changed the object.
    case push
    /// A child's save over a parent that has changed the object.
    case saveOverParent = "save over parent"
    /// A push after the child and its parent have merged another context's save.
    case mergeAndPush = "merge and push"

    var file: String { "Recorded/\(rawValue.replacing(" ", with: "-")).txt" }

    var hasParent: Bool { self != .save && self != .mergeAndSave }
    /// True if the other side is the parent.
    var isAgainstParent: Bool { self == .push || self == .saveOverParent }
    var isPush: Bool { self == .push || self == .mergeAndPush }
    /// True if our context merges the other side's changes first.
    var isMerged: Bool { self != .save }

    static let policies: [(name: String, policy: MergePolicy?)] = [
        ("error", .error), ("storeTrump", .storeTrump), ("objectTrump", .objectTrump),
        ("overwrite", .overwrite), ("rollback", .rollback), ("given", nil),
    ]
}
