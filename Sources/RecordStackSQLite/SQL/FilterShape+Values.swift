import RecordStackModel

// A cached statement lives as long as its connection. Its cache key must not keep the values of the
// request for which it was compiled, such as thousands of keys or an image.
extension StatementShape {
    /// The same shape without the bound values.
    var withoutValues: StatementShape {
        switch self {
        case .rows(let shape): .rows(shape.withoutValues)
        case .keys(let shape): .keys(shape.withoutValues)
        case .count(let shape): .count(shape.withoutValues)
        case .exists(let shape): .exists(shape.withoutValues)
        case .values(let shape): .values(shape.withoutValues)
        case .insert, .update, .updates, .setPlaceholders, .delete, .deleteSet, .members,
            .memberCount,
            .hasLink, .link, .unlink, .move, .positions, .oldPositions:
            self
        }
    }
}

extension RequestShape {
    var withoutValues: RequestShape { RequestShape(request: request.withoutValues) }
}

extension ValueShape {
    /// The shape without the filter's values. Values in the columns belong to the shape.
    var withoutValues: ValueShape {
        var copy = request
        copy.objects = request.objects.withoutValues
        return ValueShape(request: copy)
    }
}

extension StoreRequest {
    /// A set with more keys than any count subtracts.
    private static let manyKeys = KeySet(1...Int64(mostSubtractedOfAll + 1))

    fileprivate var withoutValues: StoreRequest {
        var copy = self
        copy.filter = filter?.withoutValues
        copy.limit = passesOver ? 1 : limit.map { _ in 0 }
        copy.offset = min(offset, 1)
        // A count compiles to different SQL for a few keys and for many.
        let isFew = fewLeftOut != nil
        copy.leavingOut = leavingOut.map { _ in isFew ? KeySet() : Self.manyKeys }
        return copy
    }
}

extension Filter.Node {
    fileprivate var withoutValues: Filter.Node {
        switch self {
        case .not(let node): .not(node.withoutValues)
        case .and(let chain): .and(chain.map(\.withoutValues))
        case .or(let chain): .or(chain.map(\.withoutValues))
        case .isNull(let operand): .isNull(operand.withoutValues)
        case .compare(let a, let comparison, let b, let options):
            .compare(a.withoutValues, comparison, b.withoutValues, options)
        case .text(let operand, let match, let pattern, let options):
            // The form of a match in SQL depends on the text to find.
            .text(operand.withoutValues, match, pattern, options)
        case .among(let operand, let list, let options):
            .among(operand.withoutValues, ValueList(AmongForm(list.values).example), options)
        case .quantified(let quantifier, let relation, let node):
            .quantified(quantifier, relation, node.withoutValues)
        case .kept(let path, _): .kept(path, KeySet())
        case .constant, .refers, .format, .invalid: self
        }
    }
}

extension FilterOperand {
    fileprivate var withoutValues: FilterOperand {
        switch self {
        case .value: .value(.null)
        case .path: self
        case .arithmetic(let sign, let a, let b):
            .arithmetic(sign, a.withoutValues, b.withoutValues)
        case .function(let function, let operand): .function(function, operand.withoutValues)
        case .aggregate(let aggregate):
            .aggregate(
                FilterAggregate(
                    aggregate.kind, aggregate.relation, of: aggregate.operand?.withoutValues,
                    where: aggregate.filter?.withoutValues))
        }
    }
}

extension AmongForm {
    /// The shortest list of this form.
    fileprivate var example: [StoredValue] {
        switch self {
        case .json: []
        case .encoded: Array(repeating: .blob([]), count: Self.mostParameters + 1)
        case .parameters(let count): Array(repeating: .blob([]), count: count)
        }
    }
}
