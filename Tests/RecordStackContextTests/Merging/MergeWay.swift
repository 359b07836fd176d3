import RecordStack

/// How two sides meet.
enum MergeWay: String, CaseIterable, Sendable {
    /// A save finds what another stack has saved, of which nobody here has heard.
    case save
    /// The context has taken in what another context has saved before it saves.
    case mergeAndSave = "merge and save"
    /// A child pushes into a parent that has changed the object.
    case push
    /// A child saves over a parent that has changed the object.
    case saveOverParent = "save over parent"
    /// A child pushes when it and its parent have taken in what another context has saved.
    case mergeAndPush = "merge and push"

    var file: String { "Recorded/\(rawValue.replacing(" ", with: "-")).txt" }

    var hasParent: Bool { self != .save && self != .mergeAndSave }
    /// Whether the other side is the parent.
    var isAgainstParent: Bool { self == .push || self == .saveOverParent }
    var isPush: Bool { self == .push || self == .mergeAndPush }
    /// Whether what the other side did is shown before the two are made one.
    var isMerged: Bool { self != .save }

    static let policies: [(name: String, policy: MergePolicy?)] = [
        ("error", .error), ("storeTrump", .storeTrump), ("objectTrump", .objectTrump),
        ("overwrite", .overwrite), ("rollback", .rollback), ("given", nil),
    ]
}
