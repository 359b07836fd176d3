import RecordStackModel

/// What a statement is cached by: all that its text depends on, and nothing that is bound.
enum StatementShape: Hashable {
    case rows(RequestShape)
    case keys(RequestShape)
    case count(RequestShape)
    case exists(RequestShape)
    case insert(entity: Int, rows: Int)
    case update(entity: Int, slots: SlotSet)
    case updates(entity: Int, slots: SlotSet, rows: Int)
    case park(entity: Int, slot: Int)
    case delete(table: Int)
    case members(MemberRequest.Source, LinkSchema.Owners)
    case memberCount(MemberRequest.Source)
    case hasLink(Int)
    case link(Int)
    case unlink(Int)
    case move(Int)
    case token
}

/// A request without its values. Equal shapes have equal SQL.
struct RequestShape: Hashable {
    let request: StoreRequest

    static func == (lhs: RequestShape, rhs: RequestShape) -> Bool {
        let a = lhs.request
        let b = rhs.request
        guard a.entity == b.entity, a.includesSubentities == b.includesSubentities,
            (a.limit == nil) == (b.limit == nil), (a.offset == 0) == (b.offset == 0),
            a.excluding.isEmpty == b.excluding.isEmpty,
            a.sort == b.sort
        else { return false }
        switch (a.filter, b.filter) {
        case (nil, nil): return true
        case (let a?, let b?): return a.hasShape(of: b)
        default: return false
        }
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(request.entity)
        hasher.combine(request.sort.count)
        request.filter?.hashShape(into: &hasher)
    }
}

extension Filter.Node {
    func hasShape(of other: Filter.Node) -> Bool {
        switch (self, other) {
        case (.constant(let a), .constant(let b)): a == b
        case (.not(let a), .not(let b)): a.hasShape(of: b)
        case (.and(let a, let b), .and(let c, let d)), (.or(let a, let b), .or(let c, let d)):
            a.hasShape(of: c) && b.hasShape(of: d)
        case (.isNull(let a), .isNull(let b)): a == b
        case (.compare(let a, let op, _), .compare(let b, let other, _)): op == other && a == b
        case (.text(let a, let op, _), .text(let b, let other, _)): op == other && a == b
        case (.among(let a, let values), .among(let b, let others)):
            a == b && AmongForm(values) == AmongForm(others)
        default: false
        }
    }

    func hashShape(into hasher: inout Hasher) {
        switch self {
        case .constant: hasher.combine(0)
        case .not(let node):
            hasher.combine(1)
            node.hashShape(into: &hasher)
        case .and(let a, let b), .or(let a, let b):
            hasher.combine(2)
            a.hashShape(into: &hasher)
            b.hashShape(into: &hasher)
        case .isNull(let path), .compare(let path, _, _), .text(let path, _, _),
            .among(let path, _):
            hasher.combine(path.slot)
        case .leads, .invalid: hasher.combine(3)
        }
    }
}

/// How a list of values stands in SQL.
enum AmongForm: Hashable {
    /// One parameter, a JSON array: only integers survive that for certain.
    case json
    /// So many parameters; the last value is repeated to fill them.
    case parameters(Int)

    init(_ values: [StoredValue]) {
        let isIntegers = values.allSatisfy { if case .integer = $0 { true } else { false } }
        if isIntegers {
            self = .json
        } else {
            var places = 1
            while places < values.count { places *= 2 }
            self = .parameters(places)
        }
    }
}
