import RecordStackModel

/// The cache key of a statement: everything that its text depends on, without bound values.
enum StatementShape: Hashable {
    case rows(RequestShape)
    case keys(RequestShape)
    case count(RequestShape)
    case exists(RequestShape)
    case values(ValueShape)
    case insert(entity: Int, rows: Int)
    case update(entity: Int, slots: SlotSet)
    case updates(entity: Int, slots: SlotSet, rows: Int)
    case setPlaceholders(entity: Int, slot: Int)
    case delete(table: Int)
    case deleteSet(table: Int)
    case members(MemberRequest.Source, LinkSchema.Owners)
    case memberCount(MemberRequest.Source)
    case hasLink(Int)
    case link(Int)
    case unlink(Int)
    case move(Int)
    case positions(Int)
    case oldPositions(Int)
}

/// A request without its values. Equal shapes have equal SQL.
struct RequestShape: Hashable {
    let request: StoreRequest

    static func == (lhs: RequestShape, rhs: RequestShape) -> Bool {
        let a = lhs.request
        let b = rhs.request
        guard a.entity == b.entity, a.includesSubentities == b.includesSubentities,
            (a.limit == nil) == (b.limit == nil), (a.offset == 0) == (b.offset == 0),
            (a.leavingOut == nil) == (b.leavingOut == nil), a.passesOver == b.passesOver,
            (a.fewLeftOut == nil) == (b.fewLeftOut == nil),
            a.isOrdered == b.isOrdered, a.sort == b.sort
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
