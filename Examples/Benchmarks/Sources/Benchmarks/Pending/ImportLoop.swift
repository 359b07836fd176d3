import Foundation
import RecordStack

/// Imports new items into a context, in one call or in a call for each row, without a save.
struct ImportLoop {
    let lab: Lab
    let rows: Int
    /// True to import each row with a separate call.
    let isOneByOne: Bool
    /// The number of unsaved items in the context.
    let unsaved: Int

    private var name: String {
        "import-\(rows)-\(isOneByOne ? "each" : "once")-\(unsaved)"
    }

    func run(times: Int = 1) throws -> some Contender {
        let (rows, unsaved, name) = (rows, unsaved, name)
        let texts = texts
        // A file with boxes and no items.
        let source = try lab.itemFile(0)
        return LoopRun(name, rounds: rows, times: times) {
            let place = try ItemPlace(lab, name, copying: source)
            try Self.makeItems(rows..<rows + unsaved, in: place.context)
            return place
        } loop: { place in
            var inserted = 0
            for text in texts {
                inserted += try Item.importJSON(text, in: place.context).inserted
            }
            if inserted != rows { throw Failure("\(name) made \(inserted)") }
        } isRight: { place in
            let box = rows % 16
            return try Item.count(in: place.context) == rows + unsaved
                && Item.count(in: place.context) { $0.box.number == box }
                    == (0..<rows + unsaved).count { $0 % 16 == box }
        } close: {
            try $0.close()
        }
    }

    private var texts: [Data] {
        let objects = (0..<rows).map {
            "{\"code\":\"\(ItemPlace.code($0))\",\"bucket\":\($0),\"weight\":\($0),\"box\":\($0 % 16)}"
        }
        return isOneByOne
            ? objects.map { Data($0.utf8) } : [Data("[\(objects.joined(separator: ","))]".utf8)]
    }

    private static func makeItems(_ numbers: Range<Int>, in context: ManagedObjectContext) throws {
        let boxes = try Box.find(sortedBy: .ascending(\.number), limit: 16, in: context)
        for number in numbers {
            let item = try Item.create(in: context, code: ItemPlace.code(number))
            item.bucket = number
            item.box = boxes[number % 16]
        }
    }
}
