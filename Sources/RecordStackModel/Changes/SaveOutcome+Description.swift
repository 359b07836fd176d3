extension SaveSummary: CustomStringConvertible {
    /// The counts as text: `1 inserted, 2 updated, 0 deleted`.
    ///
    /// If the save changed join tables, the numbers of added and removed rows follow.
    public var description: String {
        let objects = "\(inserted) inserted, \(updated) updated, \(deleted) deleted"
        if related == 0 && unrelated == 0 { return objects }
        return objects + ", \(related) related, \(unrelated) unrelated"
    }
}

extension SaveOutcome: CustomStringConvertible {
    /// The outcome as text: `no changes`, or `saved: 1 inserted, 2 updated, 0 deleted`.
    public var description: String {
        switch self {
        case .noChanges: "no changes"
        case .saved(let summary): "saved: \(summary)"
        }
    }
}

extension UpsertSummary: CustomStringConvertible {
    /// The counts as text: `3 inserted, 4 matched`.
    public var description: String { "\(inserted) inserted, \(matched) matched" }
}

extension SaveOptions: CustomStringConvertible {
    /// The names of the options in brackets, such as `[durable]`.
    public var description: String { contains(.durable) ? "[durable]" : "[]" }
}

extension MergePolicy: CustomStringConvertible {
    /// The policy's name, or `custom` for a policy with a closure.
    public var description: String {
        switch rule {
        case .custom: "custom"
        case .decided(let decision): "\(decision)"
        }
    }
}

extension MergeDecision: CustomStringConvertible {
    /// The decision's name, followed by its values if it has any.
    public var description: String {
        switch kind {
        case .values(let values):
            "values(\(values.map { "\($0.key): \($0.value)" }.sorted().joined(separator: ", ")))"
        default: "\(kind)"
        }
    }
}
