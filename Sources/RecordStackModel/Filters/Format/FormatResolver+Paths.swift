// Resolves names and steps in the entities.
extension FormatResolver {
    func path(
        _ base: FormatBase, _ steps: [FormatStep], _ term: FormatTerm, _ scope: FormatScope
    ) throws -> FormatResult {
        var result: FormatResult
        switch base {
        case .root: result = .object(scope.itself)
        case .term(let inner): result = try resolve(inner, scope)
        case .subquery(let members, let name, let condition):
            result = .members(try subquery(members, name, condition, scope))
        case .variable(let name):
            guard let member = scope.member(named: name) else {
                result = .literal(try literal(named: name, term, scope))
                break
            }
            result = .object(member)
        }
        return try follow(result, steps[...], scope)
    }

    private func literal(
        named name: String, _ term: FormatTerm, _ scope: FormatScope
    ) throws -> FormatLiteral {
        if let value = variables.first(where: { $0.key.hasSameBytes(as: name) }) {
            return value.value
        }
        let known = variables.keys.sorted().map { "$" + $0 } + scope.variables
        throw problem(
            "There is no variable $\(NearNames.shortened(name))."
                + (known.isEmpty
                    ? " Its value is given beside the arguments."
                    : NearNames.hint("$" + name, among: known)),
            term)
    }

    func follow(
        _ start: FormatResult, _ steps: ArraySlice<FormatStep>, _ scope: FormatScope
    ) throws -> FormatResult {
        var (result, rest) = (start, steps)
        while let step = rest.popFirst() {
            switch step.kind {
            case .name(let name): result = try self.step(name, step, from: result)
            case .aggregate(let kind, let value):
                result = try aggregate(kind, value, step, of: result, &rest, scope)
            }
        }
        return result
    }

    private func step(
        _ name: String, _ step: FormatStep, from result: FormatResult
    ) throws -> FormatResult {
        switch result {
        case .object(let object): return try property(name, step, of: object)
        case .members(var members):
            let next = try one(name, step, of: members)
            if case .members(let inner) = next {
                members.relations += inner.relations
                members.element = inner.element
            } else {
                members.element = next
            }
            return .members(members)
        case .value, .literal:
            if let value = try function(behind: name, step, result) { return .value(value) }
        case .condition, .list: break
        }
        throw FormatProblem(
            "\(NearNames.shortened(name)) is no property of \(result.typeName).",
            at: step.range.lowerBound)
    }

    /// Returns a property of a member.
    ///
    /// If the property is unknown, the message may suggest an aggregate over all members.
    private func one(
        _ name: String, _ step: FormatStep, of members: FormatMembers
    ) throws -> FormatResult {
        do {
            return try self.step(name, step, from: members.element)
        } catch let problem as FormatProblem {
            guard ["count", "sum", "avg", "min", "max"].contains(name) else { throw problem }
            throw FormatProblem(
                "\(problem.message) For one value of all members, write @\(name).",
                at: problem.offset)
        }
    }

    private func property(
        _ name: String, _ step: FormatStep, of object: FormatObject
    ) throws -> FormatResult {
        let entity = object.entity
        if let attribute = entity.attributes.first(where: { $0.name.hasSameBytes(as: name) }) {
            let path = FilterPath(
                scope: object.scope, steps: object.steps, slot: attribute.slot,
                collation: attribute.type.collation)
            return .value(
                FormatOperand(
                    operand: .path(path), type: FormatType(attribute.type), attribute: attribute))
        }
        if let relationship = entity.relationships.first(where: { $0.name.hasSameBytes(as: name) })
        {
            return try related(relationship, step, of: object)
        }
        if name == "objectID" && !object.isID {
            var id = object
            id.isID = true
            return .object(id)
        }
        let names = (entity.attributes.map(\.name) + entity.relationships.map(\.name))
            .map(FormatName.text)
        throw FormatProblem(
            "\(entity.name) has no property \(NearNames.shortened(name)).\(NearNames.hint(name, among: names))",
            at: step.range.lowerBound)
    }

    private func related(
        _ relationship: RelationshipDescription, _ step: FormatStep, of object: FormatObject
    ) throws -> FormatResult {
        let destination = relationship.destination
        if let slot = relationship.slot {
            if object.steps.count >= FilterPath.mostSteps {
                throw FormatProblem(FilterPath.tooManySteps, at: step.range.lowerBound)
            }
            let step = FilterPath.Step(slot: slot, destination: destination)
            return .object(
                FormatObject(
                    scope: object.scope, steps: object.steps + [step], entity: destination))
        }
        let relation = FilterRelation(
            scope: object.scope, steps: object.steps, owner: object.entity,
            relationship: relationship.index, destination: destination)
        return .members(
            FormatMembers(
                relations: [relation],
                element: .object(
                    FormatObject(scope: .member(0), steps: [], entity: destination))))
    }
}
