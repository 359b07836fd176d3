import RecordStackModel

extension PendingView {
    /// Explains how the request's objects are found.
    func explanationOfObjects() throws -> RequestExplanation {
        try explained {
            let (requests, declines) = try windowRequests(mayDecline: true)
            return (
                try requests.map { try reader.explanation(of: $0) },
                declines ? .declining : .function
            )
        }
    }

    /// Explains how the request is counted.
    func explanationOfCount() throws -> RequestExplanation {
        try explained {
            let (requests, subtrahend) = try counting()
            let isFew = requests[0].leavingOut.map { $0.count <= requests[0].mostSubtracted }
            let subtracts = subtrahend != nil ? true : isFew
            return (
                try requests.map { try reader.explanation(ofCounting: $0) },
                subtracts.map { $0 ? .subtraction : .function }
            )
        }
    }

    /// Explains how values of the request's objects are read, in the request's order.
    func explanation(ofValues operands: [FilterOperand]) throws -> RequestExplanation {
        try explained {
            let requests = try windowRequests(mayDecline: false).requests
            return (
                try requests.map { try reader.explanation(of: valueRequest(of: $0, operands)) },
                .function
            )
        }
    }

    /// Explains how values are read in no order.
    func explanation(ofUnordered requests: [ValueRequest]) throws -> RequestExplanation {
        try explained { (try requests.map { try reader.explanation(of: $0) }, .function) }
    }

    private func name(_ way: PendingMatches.Way) -> PendingExplanation.Matching {
        switch way {
        case .index(nil): .index("objectID")
        case .index(let slot?): .index(context.queries.name(ofSlot: slot, of: request.entity))
        case .memo: .memo
        case .evaluation: .evaluation
        }
    }

    /// Adds the unsaved changes to the explanations of the requests for SQL.
    private func explained(
        _ explain: () throws -> ([RequestExplanation], PendingExplanation.Omission?)
    ) throws -> RequestExplanation {
        let before = context.statistics.objectsJudged
        var pending = PendingExplanation(objects: self.pending.keys.count)
        pending.matching = try matches(isSorted: true).way.map(name)
        pending.evaluated = context.statistics.objectsJudged - before
        pending.loaded = affected.count
        let (explanations, omission) = try explain()
        pending.omission = self.pending.keys.isEmpty ? nil : omission
        pending.furtherSQL = explanations.dropFirst().map(\.sql)
        var explanation = explanations[0]
        explanation.pending = pending
        return explanation
    }
}
