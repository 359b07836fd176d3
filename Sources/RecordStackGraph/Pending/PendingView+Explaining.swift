import RecordStackModel

extension PendingView {
    /// Explains how the request's objects are found.
    func explanationOfObjects() throws -> RequestExplanation {
        let isWhole = request.limit == nil && request.offset == 0
        let declines = isWhole || request.offset == 0 && hasFewKeys
        let requests = declines ? [clean] + stored.dropFirst() : stored
        return try explained(
            requests.map { try reader.explanation(of: $0) }, declines ? .declining : .function)
    }

    /// Explains how the request is counted.
    func explanationOfCount() throws -> RequestExplanation {
        let omission = counting[0].leavingOut.map { keys in
            keys.count <= counting[0].mostSubtracted
                ? PendingExplanation.Omission.subtraction : .function
        }
        return try explained(
            counting.map { try reader.explanation(ofCounting: $0) }, omission)
    }

    /// Explains how values of the request's objects are read, in its order.
    func explanation(ofValues operands: [FilterOperand]) throws -> RequestExplanation {
        try explained(
            stored.map { try reader.explanation(of: valueRequest(of: $0, operands)) }, .function)
    }

    /// Explains how values are read in no order.
    func explanation(ofUnordered requests: [ValueRequest]) throws -> RequestExplanation {
        try explained(requests.map { try reader.explanation(of: $0) }, .function)
    }

    private func name(_ way: PendingMatches.Way) -> PendingExplanation.Matching {
        switch way {
        case .index(nil): .index("objectID")
        case .index(let slot?): .index(context.name(ofSlot: slot, of: request.entity))
        case .memo: .memo
        case .evaluation: .evaluation
        }
    }

    /// Adds the unsaved changes to the explanations of the requests for SQL.
    private func explained(
        _ explanations: [RequestExplanation], _ omission: PendingExplanation.Omission?
    ) throws -> RequestExplanation {
        let before = context.statistics.objectsJudged
        let found = try matches(isSorted: true)
        var pending = PendingExplanation(objects: self.pending.keys.count)
        pending.matching = found.way.map(name)
        pending.evaluated = context.statistics.objectsJudged - before
        pending.loaded = affected.count
        pending.omission = self.pending.keys.isEmpty ? nil : omission
        pending.furtherSQL = explanations.dropFirst().map(\.sql)
        var explanation = explanations[0]
        explanation.pending = pending
        return explanation
    }
}
