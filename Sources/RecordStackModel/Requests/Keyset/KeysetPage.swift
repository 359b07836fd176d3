/// One page of a request's results, which begins after an object instead of at an offset.
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
/// If objects are inserted or deleted between two pages, no object appears twice, and no object
/// that remains is missed. The last page takes as long as the first one. An object whose sort
/// values change between two pages may appear again at its new position, or not at all.
public struct KeysetPage<Item> {
    /// The objects on the page, in the request's order.
    public let items: [Item]
    /// The token for the next page; nil if this page is the last one.
    ///
    /// A page before a token always has one, even if no object follows the page.
    public let next: PageToken?
    /// The token for the previous page; nil if this page is the first one.
    ///
    /// A page after a token always has one, even if no object precedes the page.
    public let previous: PageToken?

    package init(items: [Item], next: PageToken?, previous: PageToken?) {
        self.items = items
        self.next = next
        self.previous = previous
    }

    /// Returns the page with other items, such as values that can leave a save block.
    public func map<Other>(_ transform: (Item) throws -> Other) rethrows -> KeysetPage<Other> {
        KeysetPage<Other>(items: try items.map(transform), next: next, previous: previous)
    }
}

extension KeysetPage: Sendable where Item: Sendable {}
extension KeysetPage: Equatable where Item: Equatable {}
extension KeysetPage: Hashable where Item: Hashable {}
extension KeysetPage: Encodable where Item: Encodable {}
extension KeysetPage: Decodable where Item: Decodable {}
