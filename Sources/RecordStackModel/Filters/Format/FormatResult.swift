/// The meaning of a format string's term for an entity.
indirect enum FormatResult {
    case condition(Filter.Node)
    case literal(FormatLiteral)
    case value(FormatOperand)
    case object(FormatObject)
    case members(FormatMembers)
    /// A list, in which each result has the term that it was written as.
    case list([(result: FormatResult, term: FormatTerm)])

    /// The name of the result in messages.
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
    /// Returns the result for use inside of `levels` more conditions on members.
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

/// A value of an object, and its type.
struct FormatOperand {
    let operand: FilterOperand
    let type: FormatType
    /// The attribute, if the value is read from one without a calculation.
    var attribute: AttributeDescription?
}

/// The object at a path's end.
struct FormatObject {
    let scope: FilterScope
    let steps: [FilterPath.Step]
    let entity: EntityDescription
    /// True if the path ends in `objectID`.
    var isID = false

    /// The path to the object's key: a slot of a to-one relationship, or the object's own key.
    var key: FilterPath {
        guard !isID, let last = steps.last else {
            return FilterPath(scope: scope, steps: steps, slot: FilterPath.keySlot)
        }
        return FilterPath(scope: scope, steps: Array(steps.dropLast()), slot: last.slot)
    }
}

/// All or some members of a to-many relationship, or a value of each member.
struct FormatMembers {
    /// The relationships, from the outermost one to the one of the members.
    var relations: [FilterRelation]
    var filter: Filter.Node?
    /// The variable of a SUBQUERY.
    var variable: String?
    /// The member itself or a value of it, with a path that begins at the innermost member.
    var element: FormatResult

    /// The relationship and its destination, if the element is the member itself; nil otherwise.
    var wholeRelation: (FilterRelation, EntityDescription)? {
        guard relations.count == 1, case .object(let member) = element, member.steps.isEmpty,
            !member.isID
        else { return nil }
        return (relations[0], member.entity)
    }
}

/// The objects to which the names in a term can refer.
struct FormatScope {
    let root: EntityDescription
    /// The members of the enclosing conditions, outermost first; members of ANY have no name.
    private(set) var members: [(name: String?, entity: EntityDescription)] = []

    /// Whether the format string is about a member, within a condition that is not a format string.
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

    /// Returns the scope for a value that is compared with values of members.
    func adding(_ members: FormatMembers) -> FormatScope {
        members.relations.reduce(self) { $0.adding(nil, $1.destination) }
    }

    var itself: FormatObject {
        FormatObject(scope: isMember ? .member(members.count) : .root, steps: [], entity: root)
    }

    /// Returns the member to which a variable refers; nil if there is no such variable.
    func member(named name: String) -> FormatObject? {
        guard let level = members.lastIndex(where: { $0.name?.hasSameBytes(as: name) == true })
        else { return nil }
        return FormatObject(
            scope: .member(members.count - 1 - level), steps: [], entity: members[level].entity)
    }

    var variables: [String] { members.compactMap { $0.name.map { "$" + $0 } } }
}
