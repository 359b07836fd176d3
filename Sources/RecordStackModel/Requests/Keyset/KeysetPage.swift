/// One page of a walk by key through a request's results.
///
/// ```swift
/// var page = try Person.page(after: nil, size: 100, sortedBy: .ascending(\.name), in: context)
/// while true {
///     for person in page.items { print(person.name) }
///     guard let next = page.next else { break }
///     page = try Person.page(after: next, size: 100, sortedBy: .ascending(\.name), in: context)
/// }
/// ```
///
/// A page by key begins behind an object and not behind so many of them: while others insert and delete, no
/// object comes twice and none that stays is missed, and the last page takes as long as the first. An object
/// whose sort values are changed meanwhile may come at its new position again, or in neither.
public struct KeysetPage<Item> {
    /// The objects on the page, in the request's order.
    public let items: [Item]
    /// Where the next page begins; nil where this one was the last.
    public let next: PageToken?
    /// Where the page before ends; nil where this one was the first. Where a page was asked for behind a
    /// token, nobody has looked whether there still is something before it.
    public let previous: PageToken?

    package init(items: [Item], next: PageToken?, previous: PageToken?) {
        self.items = items
        self.next = next
        self.previous = previous
    }

    /// The same page of other items: values that can leave a save block, for one.
    public func map<Other>(_ transform: (Item) throws -> Other) rethrows -> KeysetPage<Other> {
        KeysetPage<Other>(items: try items.map(transform), next: next, previous: previous)
    }
}

extension KeysetPage: Sendable where Item: Sendable {}
extension KeysetPage: Equatable where Item: Equatable {}
extension KeysetPage: Hashable where Item: Hashable {}
extension KeysetPage: Encodable where Item: Encodable {}
extension KeysetPage: Decodable where Item: Decodable {}
