/// What a term of a format string is for an entity.
indirect enum FormatResult {
    case condition(Filter.Node)
    case literal(FormatLiteral)
    case value(FormatOperand)
    case object(FormatObject)
    case members(FormatMembers)
    /// Each with the term that it is written as.
    case list([(result: FormatResult, term: FormatTerm)])

    /// What it is called in messages.
    var typeName: String {
        switch self {
        case .condition: "a condition"
        case .literal(let literal): literal.typeName
        case .value(let value): Wording.article(value.type.name)
        case .object(let object): Wording.article(object.entity.name)
        case .members: "a to-many relationship"
        case .list: "a list"
        }
    }
}

extension FormatResult {
    /// The same inside of so many more conditions on members.
    func moved(into levels: Int) -> FormatResult {
        func moved(_ scope: FilterScope, _ depth: Int) -> FilterScope {
            if case .member(let level) = scope, level >= depth {
                .member(level + levels)
            } else {
                scope
            }
        }
        switch self {
        case .condition(let node): return .condition(node.mapping(FilterMapping(scope: moved)))
        case .value(let value):
            return .value(
                FormatOperand(
                    operand: value.operand.mapping(FilterMapping(scope: moved)), type: value.type))
        case .object(let object):
            return .object(
                FormatObject(
                    scope: moved(object.scope, 0), steps: object.steps, entity: object.entity,
                    isID: object.isID))
        case .list(let sides):
            return .list(sides.map { ($0.result.moved(into: levels), $0.term) })
        case .literal, .members: return self
        }
    }
}

/// A value of objects, and what it is.
struct FormatOperand {
    let operand: FilterOperand
    let type: FormatType
    /// The attribute that it is read from, as it is.
    var attribute: AttributeDescription?
}

/// The object at a path's end.
struct FormatObject {
    let scope: FilterScope
    let steps: [FilterPath.Step]
    let entity: EntityDescription
    /// Whether it was asked for by `objectID`.
    var isID = false

    /// Where its key stands: in a to-one relationship's slot, or its own.
    var key: FilterPath {
        guard !isID, let last = steps.last else {
            return FilterPath(scope: scope, steps: steps, slot: FilterPath.keySlot)
        }
        return FilterPath(scope: scope, steps: Array(steps.dropLast()), slot: last.slot)
    }
}

/// The members of a to-many relationship, some of them, or a value of each.
struct FormatMembers {
    /// From the outermost to that of the members.
    var relations: [FilterRelation]
    var filter: Filter.Node?
    /// The variable of a SUBQUERY.
    var variable: String?
    /// The member itself, or what its path goes on to. It begins at the innermost member.
    var element: FormatResult

    /// The members as a whole, of one relationship.
    var wholeRelation: (FilterRelation, EntityDescription)? {
        guard relations.count == 1, case .object(let member) = element, member.steps.isEmpty,
            !member.isID
        else { return nil }
        return (relations[0], member.entity)
    }
}

/// Which objects the names in a term can mean.
struct FormatScope {
    let root: EntityDescription
    /// The members of the conditions around it, from the outermost; those of ANY have no name.
    private(set) var members: [(name: String?, entity: EntityDescription)] = []

    /// Whether the format stands within a condition on members that is no format string, about one of them.
    private let isMember: Bool

    init(_ root: EntityDescription) {
        self.root = root
        isMember = false
    }

    init(member: EntityDescription) {
        root = member
        isMember = true
    }

    func adding(_ name: String?, _ entity: EntityDescription) -> FormatScope {
        var copy = self
        copy.members.append((name, entity))
        return copy
    }

    /// For a value beside one of members.
    func adding(_ members: FormatMembers) -> FormatScope {
        members.relations.reduce(self) { $0.adding(nil, $1.destination) }
    }

    var itself: FormatObject {
        FormatObject(scope: isMember ? .member(members.count) : .root, steps: [], entity: root)
    }

    /// The member that a variable stands for.
    func member(named name: String) -> FormatObject? {
        guard let level = members.lastIndex(where: { $0.name?.hasSameBytes(as: name) == true })
        else { return nil }
        return FormatObject(
            scope: .member(members.count - 1 - level), steps: [], entity: members[level].entity)
    }

    var variables: [String] { members.compactMap { $0.name.map { "$" + $0 } } }
}
