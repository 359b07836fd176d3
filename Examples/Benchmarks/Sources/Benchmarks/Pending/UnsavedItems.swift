import RecordStack

/// The items of a context that have unsaved changes.
enum UnsavedItems {
    case none
    /// A number of items spread over the buckets.
    ///
    /// Of ten items, one is new, one moves to the next bucket, and eight get another weight.
    case spread(Int)
    /// The first items of the store, all moved to ``Question/doneBucket``.
    case front(Int)

    var count: Int {
        switch self {
        case .none: 0
        case .spread(let count), .front(let count): count
        }
    }

    /// The number of the item that is edited between questions, and its two buckets.
    var mover: (number: Int, home: Int, away: Int)? {
        switch self {
        case .none: nil
        case .spread: (Self.number(0), Question.bucket, Question.bucket + 1)
        case .front: (0, Question.doneBucket, Question.doneBucket + 1)
        }
    }

    /// Returns the number of the stored item at an index among the spread items.
    ///
    /// Each bucket and each box has some of them.
    private static func number(_ place: Int) -> Int { place * 10 + (place / 100 + 5) % 10 }

    /// Returns the number of spread items before a stored item.
    func count(before number: Int) -> Int { Swift.min(count, number / 10) }

    /// Makes the changes.
    ///
    /// - Parameter rows: the number of stored items, which is also the number of the
    ///   first new item.
    /// - Returns: the changed objects, and the bucket of each item by its number: nil for a number
    ///   without an item.
    func make(
        in context: ManagedObjectContext, rows: Int
    ) throws -> (items: [Item], buckets: [Int?]) {
        var buckets = (0..<rows).map { Optional($0 / Question.bucketSize) }
        switch self {
        case .none: return ([], buckets)
        case .front(let count):
            let items = try Item.find(limit: count, in: context)
            for (number, item) in items.enumerated() {
                item.bucket = Question.doneBucket
                buckets[number] = item.bucket
            }
            return (items, buckets)
        case .spread(let count):
            buckets += Array(repeating: nil, count: count)
            let items = try (0..<count).map { place in
                let item = try Self.change(place, rows, in: context)
                buckets[item.number] = item.bucket
                return item
            }
            return (items, buckets)
        }
    }

    private static func change(
        _ place: Int, _ rows: Int, in context: ManagedObjectContext
    ) throws -> Item {
        let number = number(place)
        if place % 10 == 5 {
            let item = try Item.create(in: context, code: ItemPlace.code(rows + place))
            item.bucket = number / Question.bucketSize
            item.box = try Box.findFirst(
                by: \.number, item.number % ItemPlace.boxCount, in: context)
            return item
        }
        let code = ItemPlace.code(number)
        guard let item = try Item.findFirst(by: \.code, code, in: context) else {
            throw Failure("there is no \(code)")
        }
        if place % 10 == 3 { item.bucket += 1 } else { item.weight = -1 }
        return item
    }
}

extension Item {
    /// The number at the end of the item's code.
    var number: Int { code.split(separator: "-").last.flatMap { Int($0) } ?? -1 }
}
