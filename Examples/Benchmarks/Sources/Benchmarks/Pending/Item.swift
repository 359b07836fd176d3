import RecordStack

/// The entity of the loops, with a unique code, two more attributes and a to-one relationship.
///
/// One of the two attributes has an index.
@Entity final class Item: ManagedObject {
    @Attribute(.unique) var code: String
    @Attribute(.indexed) var bucket: Int = 0
    @Attribute var weight: Int = 0
    @Relationship(inverse: \Box.items) var box: Box?
}

@Entity final class Box: ManagedObject {
    @Attribute(.unique) var number: Int
    @Relationship(deleteRule: .cascade) var items: ToMany<Item>
}

/// A store of items in a separate file, which is removed when the store is closed.
struct ItemPlace {
    let stack: ContextStack
    let path: String
    var context: ManagedObjectContext

    /// Opens a store.
    ///
    /// - Parameter source: the file to copy; nil for an empty store.
    init(
        _ lab: Lab, _ name: String, copying source: String? = nil,
        under architecture: StackArchitecture = .savingRoot
    ) throws {
        path = lab.directory.path("items-\(name).sqlite")
        lab.directory.removeStore(path)
        if let source { try lab.directory.copyStore(source, to: path) }
        stack = try ContextStack(
            for: Item.self, Box.self, at: .file(path), architecture: architecture)
        context = stack.newContext()
    }

    func close() throws {
        try stack.close()
        WorkDirectory.removeStore(path)
    }

    /// Returns the number of items in the file, and the sum of their buckets.
    func contents() throws -> (count: Int, sum: Int) { try ItemSchema.contents(of: path) }

    /// The number of boxes in a file with items.
    static let boxCount = 1_000

    static func code(_ number: Int) -> String {
        "item-\(number &* 2_654_435_761 % 1_000_003)-\(number)"
    }
}

extension Lab {
    /// Returns the path of a file with items, which is not open and has no log.
    ///
    /// - Parameter bucketSize: the number of successive items in the same bucket.
    func itemFile(_ count: Int, bucketSize: Int = 100) throws -> String {
        let path = directory.path("items-\(count)-\(bucketSize).sqlite")
        if try ItemSchema.isThere(path) { return path }
        let stack = try ContextStack(for: Item.self, Box.self, at: .file(path))
        try stack.saveWithBlockAndWait { context in
            for number in 0..<ItemPlace.boxCount { try Box.create(in: context, number: number) }
        }
        let part = 100_000
        for start in stride(from: 0, to: count, by: part) {
            try stack.saveItems(start..<min(start + part, count), bucketSize: bucketSize)
        }
        try stack.close()
        return path
    }
}

extension ContextStack {
    fileprivate func saveItems(_ numbers: Range<Int>, bucketSize: Int) throws {
        try saveWithBlockAndWait { context in
            let boxes = try Box.find(sortedBy: .ascending(\.number), in: context)
            for number in numbers {
                let item = try Item.create(in: context, code: ItemPlace.code(number))
                item.bucket = number / bucketSize
                item.weight = number
                item.box = boxes[number % ItemPlace.boxCount]
            }
        }
    }
}
