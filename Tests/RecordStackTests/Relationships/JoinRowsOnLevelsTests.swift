import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

/// A join row that contexts on several levels add and remove in turn.
@MainActor @Suite("Join rows in a chain of contexts") struct JoinRowsOnLevelsTests {
    /// A step on one of three levels. The default context is level 0.
    enum Step: CustomStringConvertible {
        case toggle(Int)
        case move(Int)
        case push(Int)

        var description: String {
            switch self {
            case .toggle(let level): "toggle \(level)"
            case .move(let level): "move \(level)"
            case .push(let level): "push \(level)"
            }
        }

        static let unordered = [toggle(0), toggle(1), toggle(2), push(1), push(2)]
        static let ordered = unordered + [move(1), move(2)]
    }

    /// A berth and a buoy, with or without a stored join row, in a default context, its child and
    /// its grandchild.
    @MainActor struct Levels {
        let contexts: [ManagedObjectContext]
        private let berths: [Berth]
        private let buoys: [Buoy]
        private let isOrdered: Bool

        init(of stack: ContextStack, number: Int, isStored: Bool, isOrdered: Bool) throws {
            let top = stack.defaultContext
            let berth = try Berth.create(in: top, number: number)
            let buoy = try Buoy.create(in: top, name: "buoy \(number)")
            // With a neighbour, the buoy has something to move past.
            berth.line.append(try Buoy.create(in: top, name: "neighbour \(number)"))
            if isStored { Self.enter(buoy, berth, isOrdered) }
            try top.saveAndWait()
            let child = top.newChild()
            contexts = [top, child, child.newChild()]
            berths = try contexts.map { try berth.in($0) }
            buoys = try contexts.map { try buoy.in($0) }
            self.isOrdered = isOrdered
        }

        func shows(_ level: Int) -> Bool {
            let (berth, buoy) = (berths[level], buoys[level])
            let isMember = isOrdered ? berth.line.contains(buoy) : berth.buoys.contains(buoy)
            let names = isOrdered ? berth.line.map(\.name) : berth.buoys.map(\.name)
            #expect(names.contains(buoy.name) == isMember)
            return isMember
        }

        func toggle(_ level: Int) {
            let (berth, buoy) = (berths[level], buoys[level])
            if !shows(level) { return Self.enter(buoy, berth, isOrdered) }
            if isOrdered { berth.line.remove(buoy) } else { berth.buoys.remove(buoy) }
        }

        private static func enter(_ buoy: Buoy, _ berth: Berth, _ isOrdered: Bool) {
            if isOrdered { berth.line.append(buoy) } else { berth.buoys.insert(buoy) }
        }

        func take(_ step: Step) throws {
            switch step {
            case .toggle(let level): toggle(level)
            case .push(let level): try contexts[level].push()
            case .move(let level):
                let line = berths[level].line
                if line.count > 1 { line.move(from: 1, to: 0) }
            }
        }

        func stored(in stack: ContextStack) throws -> Bool {
            let (berth, buoy) = (berths[0].objectID, buoys[0].objectID)
            let context = stack.newContext()
            let found = try Berth.existing(berth, in: context)
            return isOrdered
                ? found.line.contains { $0.objectID == buoy }
                : found.buoys.contains { $0.objectID == buoy }
        }
    }

    private func sequences(of steps: [Step], _ length: Int) -> [[Step]] {
        (0..<length).reduce([[]]) { found, _ in
            found.flatMap { head in steps.map { head + [$0] } }
        }
    }

    /// Tests every sequence of four steps, or of three if the members are ordered. With
    /// RECORDSTACK_FULL, the sequences are one step longer.
    @Test(arguments: [false, true], [false, true])
    func `each context in a chain of three saves its own last edit of members`(
        isOrdered: Bool, isStored: Bool
    ) async throws {
        let test = try TestStack(for: Berth.self, Harbour.self, Buoy.self)
        let isFull = ProcessInfo.processInfo.environment["RECORDSTACK_FULL"] != nil
        let length = (isOrdered ? 3 : 4) + (isFull ? 1 : 0)
        var number = 0
        for steps in sequences(of: isOrdered ? Step.ordered : Step.unordered, length) {
            for last in [0, 1, 2] {
                number += 1
                let levels = try Levels(
                    of: test.stack, number: number, isStored: isStored, isOrdered: isOrdered)
                for step in steps { try levels.take(step) }
                let isThere = !levels.shows(last)
                levels.toggle(last)
                #expect(levels.shows(last) == isThere, "\(steps), toggle \(last)")
                try await levels.contexts[last].save()
                let comment = "\(steps), toggle \(last), save \(last)"
                let isWritten = try levels.stored(in: test.stack)
                #expect(isWritten == isThere, "\(comment)")
                #expect(levels.shows(last) == isThere, "\(comment): what is shown")
            }
        }
    }
}
