// Members of to-many relationships: subqueries, aggregates and quantifiers.
extension FormatResolver {
    func subquery(
        _ term: FormatTerm, _ name: String, _ condition: FormatTerm?, _ scope: FormatScope
    ) throws -> FormatMembers {
        let result = try resolve(term, scope)
        guard case .members(var members) = result, let (_, entity) = members.wholeRelation else {
            throw problem(
                "SUBQUERY is for the members of one to-many relationship, and \(text(of: term)) is "
                    + "\(result.typeName)\(Self.isLonger(result) ? " and more" : "").", term)
        }
        members.variable = name
        guard let condition else { return members }
        let added = try self.condition(condition, scope.adding(name, entity))
        members.filter = members.filter.map { .and($0, added) } ?? added
        return members
    }

    private static func isLonger(_ result: FormatResult) -> Bool {
        if case .members = result { true } else { false }
    }

    // MARK: Aggregates

    /// Returns an aggregate over members.
    ///
    /// - Parameter rest: the steps after the aggregate. A sum takes all of them.
    func aggregate(
        _ kind: FilterAggregate.Kind, _ value: FormatTerm?, _ step: FormatStep,
        of result: FormatResult, _ rest: inout ArraySlice<FormatStep>, _ scope: FormatScope
    ) throws -> FormatResult {
        // As in @sum.members.age.
        if case .object(let object) = result, object.scope == .root, object.steps.isEmpty,
            value == nil
        {
            defer { rest = [] }
            return try aggregate(
                kind, of: try follow(result, rest, scope), at: step.range.lowerBound)
        }
        guard case .members(var members) = result, let (_, entity) = members.wholeRelation else {
            throw FormatProblem(
                "@\(kind.formatName) stands behind a to-many relationship, and this is "
                    + "\(result.typeName)\(Self.isLonger(result) ? " and more" : "").",
                at: step.range.lowerBound)
        }
        if kind == .count { return try aggregate(kind, of: result, at: step.range.lowerBound) }
        if let value {
            guard let name = members.variable else {
                throw FormatProblem(
                    "A value in brackets stands behind SUBQUERY alone, whose variable it is about.",
                    at: step.range.lowerBound)
            }
            members.element = try resolve(value, scope.adding(name, entity))
        } else {
            guard !rest.isEmpty else {
                throw FormatProblem(
                    "@\(kind.formatName) needs a property of the members: "
                        + "members.@\(kind.formatName).age.", at: step.range.lowerBound)
            }
            members.element = try follow(members.element, rest, scope)
            rest = []
        }
        return try aggregate(kind, of: .members(members), at: step.range.lowerBound)
    }

    /// Returns an aggregate over the members of one relationship, or over a value of each member.
    func aggregate(
        _ kind: FilterAggregate.Kind, of result: FormatResult, at offset: Int
    ) throws -> FormatResult {
        guard case .members(let members) = result, members.relations.count == 1 else {
            throw FormatProblem(
                "@\(kind.formatName) is for the members of one to-many relationship, not for "
                    + "\(result.typeName).", at: offset)
        }
        let relation = members.relations[0]
        if kind == .count, members.wholeRelation != nil {
            let count = FilterAggregate(.count, relation, where: members.filter)
            return .value(FormatOperand(operand: .aggregate(count), type: .wholeNumber))
        }
        guard let value = Self.operand(members.element), kind != .count,
            let type = kind.result(of: value.type)
        else {
            throw FormatProblem(
                "There is no @\(kind.formatName) of \(members.element.typeName).", at: offset)
        }
        let aggregate = FilterAggregate(kind, relation, of: value.operand, where: members.filter)
        return .value(FormatOperand(operand: .aggregate(aggregate), type: type))
    }

    /// Returns the value of each member, which may be the same for all members.
    private static func operand(_ result: FormatResult) -> FormatOperand? {
        switch result {
        case .value(let value): return value
        case .literal(let literal):
            guard let type = literal.ownType, let value = literal.stored(beside: type) else {
                return nil
            }
            return FormatOperand(operand: .value(value), type: type)
        default: return nil
        }
    }

    // MARK: Quantifiers

    func quantified(
        _ quantifier: FormatQuantifier, _ term: FormatTerm, _ scope: FormatScope
    ) throws -> Filter.Node {
        guard case .comparison(let left, let comparison, let right) = term.kind else {
            guard case .members(let members) = try resolve(term, scope),
                members.wholeRelation != nil, quantifier != .all
            else {
                throw problem(
                    "ANY, ALL and NONE are for a comparison whose left side goes through a to-many "
                        + "relationship; ANY and NONE also for such members alone.", term)
            }
            return Self.quantified(quantifier, members, nil)
        }
        let result = try resolve(left, scope)
        guard case .members(let members) = result else {
            throw problem(
                "ANY, ALL and NONE need a to-many relationship on the left side of the comparison; "
                    + "\(text(of: left)) is \(result.typeName).", left)
        }
        try checkDepth(of: members, left, scope)
        let node = try holds(
            (members.element, left), comparison,
            (try resolve(right, scope.adding(members)), right))
        return Self.quantified(quantifier, members, node)
    }

    /// Throws if a path goes through too many to-many relationships.
    ///
    /// Each relationship on the path is a condition inside of the one before it.
    func checkDepth(of members: FormatMembers, _ term: FormatTerm, _ scope: FormatScope) throws {
        if scope.members.count + members.relations.count <= FilterLevels.most / 2 { return }
        throw problem(
            "\(text(of: term)) goes through more to-many relationships than \(FilterLevels.most / 2), "
                + "the most that may stand inside of one another.", term)
    }

    static func quantified(
        _ quantifier: FormatQuantifier, _ members: FormatMembers, _ node: Filter.Node?
    ) -> Filter.Node {
        let wanted = quantifier == .all ? node.map(\.inverted) : node
        var result =
            switch (members.filter, wanted) {
            case (let filter?, let wanted?): Filter.Node.and(filter, wanted)
            case (let filter?, nil): filter
            case (nil, let wanted): wanted ?? .constant(true)
            }
        for relation in members.relations.dropFirst().reversed() {
            result = .quantified(.any, relation, result)
        }
        return .quantified(quantifier == .any ? .any : .none, members.relations[0], result)
    }
}
