import RecordStack

/// Creates items one by one, in children or by copying, without a save.
struct ChildLoop {
    enum Kind: String, CaseIterable {
        /// One child creates an item and pushes it, repeatedly.
        case push
        /// A new child for each item creates it and pushes it.
        case newChild = "new child"
        /// One item is copied into its box.
        case copy
    }

    let lab: Lab
    let kind: Kind
    let rounds: Int

    func run(times: Int = 1) throws -> some Contender {
        let (kind, rounds, name) = (kind, rounds, "\(kind)-\(rounds)")
        let source = try lab.itemFile(0)
        return LoopRun(name, rounds: rounds, times: times) {
            try ItemPlace(lab, name, copying: source)
        } loop: { place in
            switch kind {
            case .push: try Self.push(rounds, to: place.context)
            case .newChild: try Self.pushFromNewChildren(rounds, to: place.context)
            case .copy: try Self.copy(rounds, in: place.context)
            }
        } isRight: { place in
            let numbers = try Item.find(in: place.context).map(\.number)
            return numbers.sorted() == Array(0..<rounds)
        } close: {
            try $0.close()
        }
    }

    private static func push(_ rounds: Int, to context: ManagedObjectContext) throws {
        let child = context.newChild()
        for number in 0..<rounds {
            try Item.create(in: child, code: ItemPlace.code(number)).bucket = number
            try child.push()
        }
    }

    private static func pushFromNewChildren(
        _ rounds: Int, to context: ManagedObjectContext
    ) throws {
        for number in 0..<rounds {
            let child = context.newChild()
            try Item.create(in: child, code: ItemPlace.code(number)).bucket = number
            try child.push()
        }
    }

    private static func copy(_ rounds: Int, in context: ManagedObjectContext) throws {
        let original = try Item.create(in: context, code: ItemPlace.code(0))
        original.box = try Box.findFirst(by: \.number, 0, in: context)
        for number in 1..<rounds {
            try original.copy(with: \.box).code = ItemPlace.code(number)
        }
    }
}
