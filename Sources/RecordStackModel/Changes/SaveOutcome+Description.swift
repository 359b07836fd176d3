extension SaveSummary: CustomStringConvertible {
    /// The numbers: `1 inserted, 2 updated, 0 deleted`, and the numbers of objects related and unrelated, if there are any.
    public var description: String {
        let objects = "\(inserted) inserted, \(updated) updated, \(deleted) deleted"
        if related == 0 && unrelated == 0 { return objects }
        return objects + ", \(related) related, \(unrelated) unrelated"
    }
}

extension SaveOutcome: CustomStringConvertible {
    /// `no changes`, or what was saved: `saved: 1 inserted, 2 updated, 0 deleted`.
    public var description: String {
        switch self {
        case .noChanges: "no changes"
        case .saved(let summary): "saved: \(summary)"
        }
    }
}

extension UpsertSummary: CustomStringConvertible {
    /// The numbers: `3 inserted, 4 matched`.
    public var description: String { "\(inserted) inserted, \(matched) matched" }
}

extension SaveOptions: CustomStringConvertible {
    /// The names of the options.
    public var description: String { contains(.durable) ? "[durable]" : "[]" }
}

extension MergePolicy: CustomStringConvertible {
    /// The policy's name; `custom` for a rule of one's own.
    public var description: String {
        switch rule {
        case .custom: "custom"
        case .decided(let decision): "\(decision)"
        }
    }
}

extension MergeDecision: CustomStringConvertible {
    /// The decision's name, and the values that it gives.
    public var description: String {
        switch kind {
        case .values(let values):
            "values(\(values.map { "\($0.key): \($0.value)" }.sorted().joined(separator: ", ")))"
        default: "\(kind)"
        }
    }
}
