/// One page of a request's results, which begins after an object and not at an offset.
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
/// If objects are inserted or deleted before you load the next page, no page repeats an object or
/// misses an object that still exists. If the sort values of an object change in that time, the
/// object may appear again at its new position, or may not appear at all. Loading the last page is
/// as fast as loading the first.
public struct KeysetPage<Item> {
    /// The objects on the page, in the request's order.
    public let items: [Item]
    /// The token for the next page, or nil if this page is the last page.
    ///
    /// If you requested this page with a token as `before:`, the value is never nil, even if no
    /// object follows the page.
    public let next: PageToken?
    /// The token for the previous page, or nil if this page is the first page.
    ///
    /// If you requested this page with a token as `after:`, the value is never nil, even if no
    /// object precedes the page.
    public let previous: PageToken?

    package init(items: [Item], next: PageToken?, previous: PageToken?) {
        self.items = items
        self.next = next
        self.previous = previous
    }

    /// Returns the page with transformed items, such as values that can leave a save block.
    public func map<Other>(_ transform: (Item) throws -> Other) rethrows -> KeysetPage<Other> {
        KeysetPage<Other>(items: try items.map(transform), next: next, previous: previous)
    }
}

extension KeysetPage: Sendable where Item: Sendable {}
extension KeysetPage: Equatable where Item: Equatable {}
extension KeysetPage: Hashable where Item: Hashable {}
extension KeysetPage: Encodable where Item: Encodable {}
extension KeysetPage: Decodable where Item: Decodable {}
