/// One page of a request's results.
///
/// ```swift
/// let page = try Person.page(2, size: 25, sortedBy: .ascending(\.name), in: context)
/// print("Page \(page.number) of \(page.pageCount), \(page.total) people")
/// for person in page.items { print(person.name) }
/// ```
///
/// The items and the total are read in one transaction, so they are consistent. Pages are numbered
/// from 1. Page 0 and pages after the last page are empty.
public struct Page<Item> {
    /// The objects on the page.
    public let items: [Item]
    /// The page's number, from 1.
    public let number: Int
    /// The number of objects on a full page.
    public let size: Int
    /// The number of objects on all pages.
    public let total: Int

    package init(items: [Item], number: Int, size: Int, total: Int) {
        self.items = items
        self.number = number
        self.size = size
        self.total = total
    }

    /// The number of pages, or 0 if there are no objects.
    public var pageCount: Int { total / size + (total % size == 0 ? 0 : 1) }

    /// Whether a page with objects follows this page.
    public var hasNext: Bool { number >= 0 && number < pageCount }

    /// Whether a page with objects precedes this page.
    public var hasPrevious: Bool { number > 1 && pageCount > 0 }

    /// Returns the page with transformed items, such as values that can leave a save block.
    public func map<Other>(_ transform: (Item) throws -> Other) rethrows -> Page<Other> {
        Page<Other>(items: try items.map(transform), number: number, size: size, total: total)
    }
}

extension Page: Sendable where Item: Sendable {}
extension Page: Equatable where Item: Equatable {}
extension Page: Hashable where Item: Hashable {}
