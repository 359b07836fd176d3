/// A request in the form that a store answers, with indexes and slots instead of types and key paths.
package struct StoreRequest: Sendable, Hashable {
    package var entity: Int
    /// Whether rows of entities that inherit from it are wanted as well.
    package var includesSubentities = true
    package var filter: Filter.Node?
    package var sort: [SortTerm]
    /// Whether rows that the sort terms leave alike come by their keys. False is for whoever takes all rows in any order:
    /// it can save sorting them.
    package var isOrdered = true
    package var limit: Int?
    package var offset: Int
    /// The keys of rows to leave out, because the context has newer values. Nil if the sink declines these rows.
    package var leavingOut: KeySet?
    /// The page of a keyset walk that the filter includes.
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

    /// The most left-out keys that a count looks up and subtracts. For more, calling a function for each row is faster. A
    /// count without a filter calls it for the whole table.
    package var mostSubtracted: Int { filter == nil ? Self.mostSubtractedOfAll : 64 }

    /// The limit of a count without a filter.
    package static let mostSubtractedOfAll = 8_192

    /// The rows of some keys.
    package static func keys(_ keys: [Int64], entity: Int) -> StoreRequest {
        let path = FilterPath(slot: FilterPath.keySlot)
        return StoreRequest(
            entity: entity,
            filter: keys.count == 1
                ? .compare(path, .equal, .integer(keys[0]))
                : .among(path, keys.map { .integer($0) }))
    }
}
