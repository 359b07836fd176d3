/// A request in the form that a store executes, with indexes and slots instead of key paths.
package struct StoreRequest: Sendable, Hashable {
    package var entity: Int
    /// True if rows of entities that inherit from the entity are included.
    package var includesSubentities = true
    package var filter: Filter.Node?
    package var sort: [SortTerm]
    /// True if rows that are equal in all sort terms are in the order of their keys.
    ///
    /// Use false if any order of the rows will do, which can save a sort.
    package var isOrdered = true
    package var limit: Int?
    package var offset: Int
    /// The keys of the rows to leave out, because the context has newer values.
    ///
    /// The value is nil if the sink declines these rows.
    package var leavingOut: KeySet?
    /// The range of a page by key, which the filter contains as well.
    package var bound: KeysetBound?

    package init(
        entity: Int, filter: Filter.Node? = nil, sort: [SortTerm] = [], limit: Int? = nil,
        offset: Int = 0, leavingOut: KeySet? = nil
    ) {
        self.entity = entity
        self.filter = filter
        self.sort = sort
        self.limit = limit
        self.offset = offset
        self.leavingOut = leavingOut
    }

    /// The maximum number of left-out keys that a count looks up and subtracts.
    ///
    /// With more keys, it is faster to call a function for each row. A count without a filter would
    /// call it for the whole table.
    package var mostSubtracted: Int { filter == nil ? Self.mostSubtractedOfAll : 64 }

    /// The maximum number for a count without a filter.
    package static let mostSubtractedOfAll = 8_192

    /// Creates a request for the rows with the keys.
    package static func keys(_ keys: [Int64], entity: Int) -> StoreRequest {
        let path = FilterPath(slot: FilterPath.keySlot)
        return StoreRequest(
            entity: entity,
            filter: keys.count == 1
                ? .compare(path, .equal, .integer(keys[0]))
                : .among(path, keys.map { .integer($0) }))
    }
}
