import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport

/// One sequence of random steps on a stack whose blocks are held.
@MainActor final class HeldScript {
    struct Difference: Error {
        let what: String
    }

    /// A property of a berth, or the presence of a buoy at a berth.
    struct Place: Hashable, Sendable {
        let berth: Int
        let property: Int
    }

    /// A step of a block.
    struct Order: Sendable {
        let place: Place
        let value: String
    }

    nonisolated static let kinds = [
        "create", "edit", "relate", "roll back", "save", "conflict", "held running",
        "held at COMMIT",
    ]
    /// The number of properties. The last properties are buoys.
    nonisolated static let properties = 4

    private let held: HeldBlocks
    private let trace = HeldTrace()
    private var berths: [Int: Berth] = [:]
    private let buoys: [Buoy]
    /// The values that were set here since the last rollback.
    private var lastSet: [Place: String] = [:]
    private var stored: [Place: String] = [:]
    private var last = 0
    var random: Seeded
    private(set) var done: [String: Int] = [:]
    private(set) var log: [String] = []

    init(_ random: Seeded, _ architecture: StackArchitecture) async throws {
        self.random = random
        let held = try HeldBlocks(architecture, Berth.self, Harbour.self, Buoy.self)
        self.held = held
        buoys = try ["2", "3"].map { try Buoy.create(in: held.context, name: $0) }
        for number in 1...2 {
            berths[number] = try Berth.create(
                in: held.context, number: number, name: "a\(number)", note: "b\(number)")
        }
        try await held.context.save()
        try await checkStored()
    }

    func step() async throws {
        switch random.below(12) {
        case 0...4: try await editHere(mayWait: true)
        case 5: try await save()
        case 6...8: try await hold(isRunning: true)
        default: try await hold(isRunning: false)
        }
        try await checkStored()
        try checkShown()
    }

    private func count(_ kind: String, _ details: String = "") {
        done[kind, default: 0] += 1
        log.append("\(kind) \(details)")
    }

    // MARK: The default context

    private func editHere(mayWait: Bool) async throws {
        switch random.below(12) {
        case 0: try create()
        case 1: rollBack()
        case 2:
            // The operation publishes all changes.
            _ = try Berth.count(in: held.context)
            log.append("count")
        case 3 where mayWait: try await save()
        case 3...6: relate()
        default: try edit()
        }
    }

    private func create() throws {
        last += 1
        let (number, name, note) = (last + 100, "n\(last)", "m\(last)")
        berths[number] = try Berth.create(
            in: held.context, number: number, name: name, note: note)
        lastSet[Place(berth: number, property: 0)] = name
        lastSet[Place(berth: number, property: 1)] = note
        count("create", "\(number)")
    }

    private func edit() throws {
        guard
            let (number, berth) = berths.sorted(by: { $0.key < $1.key }).randomElement(
                using: &random)
        else { return }
        let place = Place(berth: number, property: random.below(2))
        last += 1
        let value = "v\(last)"
        trace.note(value, after: berth.text(place.property))
        if let before = lastSet[place] { trace.note(value, after: before) }
        try berth.set(place.property, value)
        lastSet[place] = value
        count("edit", "\(place.berth).\(place.property) \(value)")
    }

    private func relate() {
        guard
            let (number, berth) = berths.sorted(by: { $0.key < $1.key }).randomElement(
                using: &random)
        else { return }
        let buoy = buoys[random.below(2)]
        if berth.buoys.contains(buoy) { berth.buoys.remove(buoy) } else { berth.buoys.insert(buoy) }
        count("relate", "\(number) \(buoy.name)")
    }

    private func rollBack() {
        held.context.rollback()
        // A rollback counts as having seen the values that it discards.
        for (place, value) in lastSet {
            guard let berth = berths[place.berth], berth.objectState != .detached else { continue }
            trace.note(berth.text(place.property), after: value)
        }
        lastSet = [:]
        berths = berths.filter { $0.value.objectState != .detached }
        count("roll back")
    }

    private func save() async throws {
        do {
            try await held.context.save()
            count("save")
        } catch let error as RecordStackError where error.code == .conflict {
            count("conflict")
            return rollBack()
        }
        try await checkStored()
        try checkShown()
        for (number, berth) in berths {
            for property in 0..<Self.properties {
                let place = Place(berth: number, property: property)
                if stored[place] != berth.text(property) {
                    throw Difference(what: "\(place) is \(stored[place] ?? "gone"), not saved")
                }
            }
        }
    }

    // MARK: Blocks

    private func makeOrders() -> [Order] {
        (0..<random.below(3)).map { _ in
            last += 1
            let number = berths.keys.sorted().randomElement(using: &random) ?? 1
            let property = random.below(Self.properties)
            return Order(
                place: Place(berth: number, property: property),
                value: property < 2 ? "w\(last)" : random.chance(50) ? "yes" : "no")
        }
    }

    private func hold(isRunning: Bool) async throws {
        let (orders, trace) = (makeOrders(), trace)
        log.append("block \(orders.map { "\($0.place.berth).\($0.place.property) \($0.value)" })")
        last += 1
        let name = "h\(last)"
        let block = { @Sendable (context: ManagedObjectContext) in
            // The block writes something in every case.
            try Harbour.create(in: context, name: name)
            for order in orders { try order.carryOut(in: context, trace) }
        }
        let (before, marks, carriesNothing) = (relations(), interruptions, isInConflict)
        var after = before
        let edit = {
            for _ in 0..<self.random.below(4) { try await self.editHere(mayWait: isRunning) }
            after = self.relations()
            self.log.append("on")
        }
        do {
            if isRunning {
                try await held.whileRunning(block, edit: edit)
            } else {
                try await held.whileHeld(block, edit: edit)
            }
            count(isRunning ? "held running" : "held at COMMIT")
            if marks == interruptions {
                try checkRelations(carriesNothing ? nil : before, after, orders)
            }
        } catch let error as RecordStackError where error.code == .conflict {
            // The COMMIT may have been that of new keys, before the save.
            count("failing block")
        }
    }

    /// The number of events that may have ended the changes made here.
    private var interruptions: Int {
        ["roll back", "save", "conflict"].reduce(0) { $0 + done[$1, default: 0] }
    }

    /// Whether other contexts have changed what was changed here. A block then saves none of these
    /// changes.
    private var isInConflict: Bool {
        berths.contains { number, berth in
            berth.committedValues().contains { name, base in
                let place = Place(berth: number, property: name == "name" ? 0 : 1)
                guard ["name", "note"].contains(name), let now = stored[place] else { return false }
                return .text(now) != base && !(now.isEmpty && base.isNull)
            }
        }
    }

    private func relations() -> [Place: String] {
        var relations: [Place: String] = [:]
        for (number, berth) in berths {
            for property in 2..<Self.properties {
                relations[Place(berth: number, property: property)] = berth.text(property)
            }
        }
        return relations
    }

    // MARK: Checks

    /// Checks that what was related here while the block ran is so. The rest is as here or as in
    /// the block.
    /// - Parameter before: the values that the block has taken over, or nil if it has taken over
    /// none.
    private func checkRelations(
        _ before: [Place: String]?, _ after: [Place: String], _ orders: [Order]
    ) throws {
        _ = try Berth.count(in: held.context)
        let now = relations()
        for (place, value) in after where now[place] != value {
            let isBlocks = orders.contains { $0.place == place && $0.value == now[place] }
            let carried = before.map { $0[place, default: "no"] } ?? value
            if carried != value || !isBlocks {
                throw Difference(what: "\(place) is \(now[place] ?? "gone"), not \(value)")
            }
        }
    }

    /// Checks that each stored value was set by someone who had seen the stored value before it.
    private func checkStored() async throws {
        let now = try await held.stack.read { try Berth.texts(in: $0) }
        for (place, value) in now where place.property < 2 {
            guard let before = stored[place], before != value else { continue }
            if !trace.knows(value, of: before) {
                throw Difference(what: "\(value) was written over \(before), unseen")
            }
        }
        stored = now
    }

    /// Checks that each value set here is shown, or a value set by someone who has seen it.
    private func checkShown() throws {
        for (place, value) in lastSet {
            guard let now = berths[place.berth]?.text(place.property) else { continue }
            if now != value && !trace.knows(now, of: value) {
                throw Difference(what: "\(now) is shown, not \(value)")
            }
        }
    }
}

extension HeldScript.Order {
    func carryOut(in context: ManagedObjectContext, _ trace: HeldTrace) throws {
        guard let berth = try Berth.findFirst(by: \.number, place.berth, in: context) else {
            return
        }
        if place.property < 2 { trace.note(value, after: berth.text(place.property)) }
        if place.property >= 2 && berth.text(place.property) == value { return }
        try berth.set(place.property, value)
    }
}

extension Berth {
    fileprivate static func texts(
        in context: ManagedObjectContext
    ) throws -> [HeldScript.Place: String] {
        var texts: [HeldScript.Place: String] = [:]
        for berth in try find(in: context) {
            for property in 0..<HeldScript.properties {
                texts[HeldScript.Place(berth: berth.number, property: property)] =
                    berth.text(property)
            }
        }
        return texts
    }

    fileprivate func text(_ property: Int) -> String {
        switch property {
        case 0: name
        case 1: note ?? ""
        default: buoys.contains { $0.name == "\(property)" } ? "yes" : "no"
        }
    }

    fileprivate func set(_ property: Int, _ value: String) throws {
        switch property {
        case 0: name = value
        case 1: note = value
        default:
            let buoy = try managedObjectContext.flatMap {
                try Buoy.findFirst(by: \.name, "\(property)", in: $0)
            }
            guard let buoy else { return }
            if value == "yes" { buoys.insert(buoy) } else { buoys.remove(buoy) }
        }
    }
}
