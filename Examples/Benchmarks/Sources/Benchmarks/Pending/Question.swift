import RecordStack

/// A question about items. All questions but ``countAll`` filter by an indexed property.
enum Question: CaseIterable {
    case first, find, count, countAll, page, pageByKey, toOne, firstBehind

    /// The bucket of most questions, and below it their box.
    static let bucket = 0
    static let box = 5
    /// The number of items that a bucket has in the store.
    static let bucketSize = 1_000
    /// The bucket of the items that ``firstBehind`` must skip.
    static let doneBucket = 1_000_000

    private static let size = 100
    private static let pageNumber = 5
    /// The number of items before the page.
    static let skipped = size * (pageNumber - 1)

    var name: String {
        switch self {
        case .first: "findFirst"
        case .find: "find"
        case .count: "count"
        case .countAll: "count all"
        case .page: "page"
        case .pageByKey: "page by key"
        case .toOne: "to-one step"
        case .firstBehind: "first behind"
        }
    }

    /// A factor for the number of times that a short question is asked for one figure.
    var repetition: Int { self == .first || self == .firstBehind ? 5 : 1 }

    /// The objects and the number that a context returns.
    struct Answer {
        var items: [Item] = []
        var total = 0
    }

    /// Asks a context.
    ///
    /// - Parameter token: the beginning of the page by key.
    func ask(_ context: ManagedObjectContext, from token: PageToken?) throws -> Answer {
        switch self {
        case .first:
            let found = try Item.findFirst(in: context) { $0.bucket == Self.bucket }
            return Answer(items: found.map { [$0] } ?? [])
        case .find:
            return Answer(
                items: try Item.find(limit: Self.size, in: context) { $0.bucket == Self.bucket })
        case .count:
            return Answer(total: try Item.count(in: context) { $0.bucket == Self.bucket })
        case .countAll: return Answer(total: try Item.count(in: context))
        case .page:
            let page = try Item.page(Self.pageNumber, size: Self.size, in: context) {
                $0.bucket == Self.bucket
            }
            return Answer(items: page.items, total: page.total)
        case .pageByKey:
            let page = try Item.page(after: token, size: Self.size, in: context) {
                $0.bucket == Self.bucket
            }
            return Answer(items: page.items)
        case .toOne:
            return Answer(
                items: try Item.find(limit: Self.size, in: context) { $0.box.number == Self.box })
        case .firstBehind:
            let found = try Item.findFirst(sortedBy: .ascending(\.bucket), in: context) {
                $0.bucket < Self.doneBucket
            }
            return Answer(items: found.map { [$0] } ?? [])
        }
    }

    /// Returns the beginning of the page by key; nil for other questions.
    func token(in context: ManagedObjectContext) throws -> PageToken? {
        guard self == .pageByKey else { return nil }
        return try Item.page(after: nil, size: Self.skipped, in: context) {
            $0.bucket == Self.bucket
        }.next
    }
}

extension Question {
    /// Returns the correct items, by number, and the total, computed from the buckets of all items.
    func expected(_ buckets: [Int?]) -> (numbers: [Int], total: Int) {
        switch self {
        case .countAll: return ([], buckets.count { $0 != nil })
        case .toOne:
            let numbers = buckets.indices.filter {
                buckets[$0] != nil && $0 % ItemPlace.boxCount == Self.box
            }
            return (Array(numbers.prefix(Self.size)), 0)
        case .firstBehind:
            // Buckets rise with numbers.
            let number = buckets.firstIndex { $0.map { $0 < Self.doneBucket } ?? false }
            return (number.map { [$0] } ?? [], 0)
        case .first, .find, .count, .page, .pageByKey:
            let numbers = buckets.indices.filter { buckets[$0] == Self.bucket }
            return expected(numbers)
        }
    }

    private func expected(_ numbers: [Int]) -> (numbers: [Int], total: Int) {
        switch self {
        case .first: (Array(numbers.prefix(1)), 0)
        case .find: (Array(numbers.prefix(Self.size)), 0)
        case .count: ([], numbers.count)
        case .page:
            (Array(numbers.dropFirst(Self.skipped).prefix(Self.size)), numbers.count)
        default: (Array(numbers.dropFirst(Self.skipped).prefix(Self.size)), 0)
        }
    }
}
