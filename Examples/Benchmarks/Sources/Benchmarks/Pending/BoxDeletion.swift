import GRDBSQLite
import RecordStack

/// Deletes half of the boxes in a file one by one, each with three items by cascade, and saves.
struct BoxDeletion {
    /// The number of items in a box.
    static let itemsEach = 3

    let lab: Lab
    /// The number of boxes that are deleted.
    let count: Int

    private func isRight(_ path: String) throws -> Bool {
        let (items, boxes) = try BoxSchema.contents(of: path)
        return items == count * Self.itemsEach && boxes == count
    }

    func ours() throws -> some Contender {
        let count = count
        let source = try lab.boxFile(count * 2)
        return LoopRun("ours", rounds: count) {
            let place = try ItemPlace(lab, "deletion-ours", copying: source)
            return try HeldBoxes(place: place, count: count)
        } loop: {
            try $0.delete()
        } isRight: {
            try isRight($0.place.path)
        } close: {
            try $0.place.close()
        }
    }

    func raw() -> some Contender {
        let path = lab.directory.path("box-deletion-raw.sqlite")
        let count = count
        return LoopRun("raw", rounds: count) {
            try BoxSchema.makeStore(at: path, boxes: count * 2)
            return try RawBoxDeletion(path: path)
        } loop: {
            try $0.run(count)
        } isRight: { _ in
            try isRight(path)
        } close: { _ in
            lab.directory.removeStore(path)
        }
    }
}

/// Boxes that a context holds, without their items.
private struct HeldBoxes {
    let place: ItemPlace
    let boxes: [Box]

    init(place: ItemPlace, count: Int) throws {
        self.place = place
        boxes = try Box.find(sortedBy: .ascending(\.number), limit: count, in: place.context)
    }

    func delete() throws {
        for box in boxes { try place.context.delete(box) }
        try place.context.saveAndWait()
    }
}

/// Deletes the items of a box and the box by two statements that are prepared once.
private final class RawBoxDeletion {
    private let connection: RawConnection
    private let items: RawStatement
    private let box: RawStatement

    init(path: String) throws {
        connection = try RawConnection(path: path)
        items = try RawStatement("DELETE FROM item WHERE \"box\" = ?", on: connection)
        box = try RawStatement("DELETE FROM box WHERE \"_key\" = ?", on: connection)
    }

    func run(_ count: Int) throws {
        try connection.execute("BEGIN IMMEDIATE")
        for key in 1...Int64(count) {
            for statement in [items, box] {
                statement.handle.bind(key, at: 1)
                try statement.run()
            }
        }
        try connection.execute("COMMIT")
    }
}

extension Lab {
    /// Returns the path of a closed file with boxes and their items.
    fileprivate func boxFile(_ count: Int) throws -> String {
        let path = directory.path("boxes-\(count).sqlite")
        if try ItemSchema.isThere(path) { return path }
        let stack = try ContextStack(for: Item.self, Box.self, at: .file(path))
        try stack.saveWithBlockAndWait { context in
            for number in 0..<count {
                let box = try Box.create(in: context, number: number)
                for place in 0..<BoxDeletion.itemsEach {
                    let code = ItemPlace.code(number * BoxDeletion.itemsEach + place)
                    try Item.create(in: context, code: code).box = box
                }
            }
        }
        try stack.close()
        return path
    }
}
