import Foundation
import RecordStack

/// A loop as real programs contain it, whose memory must not grow with its rounds.
enum Loop: String, CaseIterable {
    case createAndSave, createAndSaveMany, createAndPush, createInChildren, childSaves
    case edit, editAndRollBack, editBack, find, findFirst, count, page, pageByKey, lazily, values
    case importRows, importSameRows, upsert, deleteAndSave, relate, reorder, joinRows
    case faults, saveBlocks, blockOnContext, queues, contexts, snapshots, refresh, batchUpdate

    /// Runs one round in a context.
    ///
    /// Every 100 rounds it deletes the objects that the rounds have created, so that the file and
    /// the store's memory stay the same size.
    func run(_ round: Int, _ context: ManagedObjectContext, _ stack: ContextStack) throws {
        try runOnNew(round, context, stack)
        if round % 100 == 99 {
            try context.saveAndWait()
            try stack.saveWithBlockAndWait { try Order.delete(in: $0) { $0.number >= 0 } }
        }
    }

    /// Runs a round that creates objects.
    private func runOnNew(
        _ round: Int, _ context: ManagedObjectContext, _ stack: ContextStack
    ) throws {
        switch self {
        case .createAndSave:
            try Order.create(in: context, number: round)
            try context.saveAndWait()
        case .createAndSaveMany:
            for part in 0..<20 { try Order.create(in: context, number: round * 20 + part) }
            try context.saveAndWait()
        case .createAndPush:
            let child = context.newChild()
            try Order.create(in: child, number: round)
            try child.push()
            if round % 50 == 49 { try context.saveAndWait() }
        case .createInChildren:
            let child = context.newChild()
            try Order.create(in: child, number: round).note = "dropped"
        case .childSaves:
            let child = context.newChild()
            try Order.create(in: child, number: round)
            try child.saveAndWait()
        case .saveBlocks:
            try stack.saveWithBlockAndWait { try Order.create(in: $0, number: round).objectID }
        case .blockOnContext:
            try context.saveWithBlockAndWait { try Order.create(in: $0, number: round).objectID }
        case .deleteAndSave:
            let order = try Order.create(in: context, number: round)
            try context.saveAndWait()
            try order.delete()
            try context.saveAndWait()
        case .importRows:
            let json = Data(#"[{"number": \#(round), "note": "n"}]"#.utf8)
            _ = try Order.importJSON(json, in: context)
            if round % 50 == 49 { try context.saveAndWait() }
        case .importSameRows:
            let json = Data(#"[{"number": \#(round % 10), "note": "\#(round)"}]"#.utf8)
            _ = try Order.importJSON(json, in: context)
            try context.saveAndWait()
        case .upsert:
            try Order.findFirstOrCreate(by: \.number, round % 500, in: context).note = "\(round)"
            try context.saveAndWait()
        default: try runOnStored(round, context, stack)
        }
    }

    /// Runs a round that works with the objects from `seed(_:)`.
    private func runOnStored(
        _ round: Int, _ context: ManagedObjectContext, _ stack: ContextStack
    ) throws {
        let number = round % Self.storedOrders
        switch self {
        case .edit:
            try Order.findFirst(by: \.number, -1 - number, in: context)?.note = "\(round)"
            try context.saveAndWait()
        case .editAndRollBack:
            try Order.findFirst(by: \.number, -1 - number, in: context)?.note = "\(round)"
            context.rollback()
        case .editBack:
            let order = try Order.findFirst(by: \.number, -1 - number, in: context)
            let note = order?.note
            order?.note = "\(round)"
            order?.note = note ?? ""
        case .find: _ = try Order.find(in: context) { $0.note == "\(round)" || $0.number < -1_990 }
        case .findFirst: _ = try Order.findFirst(by: \.number, -1 - number, in: context)
        case .count: _ = try Order.count(in: context) { $0.number > round }
        case .page: _ = try Order.page(1 + round % 20, size: 50, in: context)
        case .pageByKey: _ = try Order.page(after: nil, size: 50, in: context)
        case .lazily: _ = try Order.findLazily(batch: 20, in: context)[number].note
        case .values: _ = try Order.values(of: \.number, in: context) { $0.number < -1_950 }
        case .snapshots: _ = try Order.snapshots(in: context) { $0.number < -1_950 }
        case .faults:
            for order in try Order.find(limit: 3, offset: number, in: context) {
                _ = order.shop?.name
            }
        case .queues:
            try stack.newPrivateQueueContext().performAndWait {
                _ = try Order.findFirst(by: \.number, -1 - number, in: $0)
            }
        case .contexts: _ = try Order.findFirst(by: \.number, -1 - number, in: stack.newContext())
        case .refresh:
            let order = try Order.findFirst(by: \.number, -1 - number, in: context)
            if let order { try context.refresh(order) }
            context.refreshAllObjects()
        case .batchUpdate:
            try stack.saveWithBlockAndWait {
                try Order.findFirst(by: \.number, -1 - number, in: $0)?.note = "\(round)"
            }
            _ = try Order.findFirst(by: \.number, -1 - number, in: context)?.note
        default: try runOnRelations(round, context)
        }
    }

    private func runOnRelations(_ round: Int, _ context: ManagedObjectContext) throws {
        guard let shop = try Shop.findFirst(by: \.name, "shop", in: context) else { return }
        switch self {
        case .relate:
            for order in shop.orders.prefix(2) {
                order.shop = nil
                order.shop = shop
            }
            try context.saveAndWait()
        case .reorder:
            shop.shelf.move(from: 0, to: shop.shelf.count - 1)
            try context.saveAndWait()
        case .joinRows:
            let tag = try Tag.findFirstOrCreate(by: \.word, "\(round % 40)", in: context)
            if !shop.tags.insert(tag) { shop.tags.remove(tag) }
            try context.saveAndWait()
        default: preconditionFailure("The loop \(rawValue) has no body.")
        }
    }

    static let storedOrders = 2_000

    /// Creates the objects that exist before the first round.
    static func seed(_ stack: ContextStack) throws {
        try stack.saveWithBlockAndWait { context in
            let shop = try Shop.create(in: context, name: "shop")
            for number in 0..<storedOrders {
                try Order.create(in: context, number: -1 - number).shop = number < 20 ? shop : nil
            }
            for number in 0..<20 {
                let ware = try Ware.create(in: context)
                ware.title = "\(number)"
                shop.shelf.append(ware)
            }
        }
    }
}
