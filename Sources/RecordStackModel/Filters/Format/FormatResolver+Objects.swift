// Comparisons of objects by identity, and matching of texts.
extension FormatResolver {
    /// Returns the condition that an object is another object, or that it is not.
    func same(
        _ object: FormatObject, _ side: Side, _ order: Filter.Comparison, _ other: Side,
        _ comparison: FormatComparison
    ) throws -> Filter.Node {
        guard order == .equal || order == .notEqual, comparison.options.isEmpty else {
            throw FormatProblem(
                "Objects are compared by == and != and IN alone, without options.",
                at: comparison.offset)
        }
        switch other.result {
        case .object(let second):
            guard FormatType.object(object.entity).isComparable(with: .object(second.entity)) else {
                throw mismatch(side, other)
            }
            return .compare(.path(object.key), order, .path(second.key), [])
        case .literal(.null):
            return .comparing(.path(object.key), order, .value(.null))
        case .literal:
            let node = try refers(object, [other], side)
            return order == .equal ? node : node.inverted
        default: throw mismatch(side, other)
        }
    }

    /// Returns the condition that an object is one of several objects.
    func refers(
        _ object: FormatObject, _ others: [Side], _ side: Side
    ) throws -> Filter.Node {
        var ids: [ManagedObjectID] = []
        for other in others {
            switch other.result {
            case .literal(.null): continue
            case .literal(.object(let id)): ids.append(id)
            case .literal(.text(let text)):
                guard let id = ManagedObjectID(text) else {
                    throw problem(
                        "\(ValueText.quoted(NearNames.shortened(text))) is no ID of an object. The "
                            + "object's properties stand behind a dot: \(self.text(of: side.term)).…",
                        other.term)
                }
                ids.append(id)
            default: throw mismatch(other, side)
            }
        }
        let node = Filter.Node.referring(to: ids, at: object.key, object.entity)
        if case .invalid(let message) = node, let first = others.first {
            throw problem(message, first.term)
        }
        return ids.count == others.count ? node : .or(node, .isNull(.path(object.key)))
    }

    // MARK: Parts of texts

    func matches(
        _ left: Side, _ match: Filter.TextMatch, _ right: Side, _ comparison: FormatComparison
    ) throws -> Filter.Node {
        let (text, pattern) = (try self.text(left, comparison), try self.text(right, comparison))
        guard let text, let pattern else { return .constant(false) }
        if match == .matches, case .value(.text(let expression)) = pattern {
            do {
                _ = try TextMatcher(match, expression, comparison.options)
            } catch let error as RecordStackError {
                throw problem(error.message, right.term)
            }
        }
        return .text(text, match, pattern, comparison.options)
    }

    /// Returns a text as an operand; nil for null.
    private func text(_ side: Side, _ comparison: FormatComparison) throws -> FilterOperand? {
        switch side.result {
        case .value(let value) where value.type.isText: return value.operand
        case .literal(.text(let text)): return .value(.text(text))
        case .literal(.value(let value, let type)) where type.isText: return .value(value)
        case .literal(.null): return nil
        default:
            throw problem(
                "\(comparison.word.uppercased()) is for texts, and \(self.text(of: side.term)) is "
                    + "\(side.result.typeName).", side.term)
        }
    }
}
