import Dispatch
import RecordStack
import RecordStackModel
import TestSupport
import Testing

/// The actions of a program while a save is held, and the checks of their results.
@MainActor enum HeldAction: CaseIterable {
    case edits, rollsBack, resets, pushes, saves, closes

    /// - Parameter opener: opens the gate for actions that wait for the save.
    func perform(on held: HeldSave, _ opener: GateOpener?) throws -> Task<HeldSave.Outcomes, Never>?
    {
        let context = held.context
        switch self {
        case .edits: held.letter.text = "edited"
        case .rollsBack: context.rollback()
        case .resets: context.reset()
        case .pushes:
            let letter = try Letter.existing(held.letter.objectID, in: held.child)
            letter.stamp = 7
            opener?.open(after: .milliseconds(5))
            try held.child.push()
        case .saves: return Task { @MainActor in [await held.outcome(of: context)] }
        case .closes:
            opener?.open(after: .milliseconds(5))
            try held.stack.close()
        }
        return nil
    }

    /// - Returns: the faults, in the order in which they were found.
    func check(_ outcomes: HeldSave.Outcomes, of held: HeldSave) async throws -> [String] {
        var faults: [String] = []
        func require(_ isTrue: Bool, _ what: String) { if !isTrue { faults.append(what) } }
        var isSaved = false
        var inserted = 0
        for outcome in outcomes {
            switch outcome {
            case .success(.saved(let summary)):
                isSaved = true
                inserted += summary.inserted
            case .success: break
            case .failure(let error):
                let code = (error as? RecordStackError)?.code
                require(self == .closes && code == .closed, "a save threw \(error)")
            }
        }
        require(inserted <= 1, "an object was inserted \(inserted) times")
        if self != .closes {
            let shown = try Letter.find(sortedBy: .ascending(\.name), in: held.context)
            let hasEdit = self == .edits || self == .pushes
            if self == .edits { require(shown.last?.text == "edited", "the edit is not shown") }
            if !hasEdit { require(!held.context.hasChanges, "changes are left") }
            if self == .pushes { require(!held.child.hasChanges, "the child has changes") }
            let names = shown.map(\.name)
            if case .failure(let error) = await held.outcome(of: held.context) {
                faults.append("the next save threw \(error)")
            }
            require(!held.context.hasChanges, "changes are left after the next save")
            require(
                try Letter.find(sortedBy: .ascending(\.name), in: held.context).map(\.name)
                    == names,
                "the next save changed what is shown")
        }
        faults += try checkStore(isSaved: isSaved, of: held)
        return faults
    }

    private func checkStore(isSaved: Bool, of held: HeldSave) throws -> [String] {
        let stored = try Letter.find(
            sortedBy: .descending(\.name), in: held.other.newContext())
        let texts = stored.map(\.text)
        let isComplete = texts == ["captured", ""] || texts == ["", "captured"]
        switch self {
        case .edits: return Set(texts) == ["edited", ""] ? [] : ["the store has \(texts)"]
        case .pushes:
            let stamps = Set(stored.map(\.stamp))
            return isComplete && stamps == [0, 7] ? [] : ["the store has \(texts), \(stamps)"]
        case .saves: return isComplete ? [] : ["the store has \(texts)"]
        case .rollsBack, .resets, .closes:
            let isAsItWas = texts == [held.base]
            let isRight = isSaved ? isComplete : isAsItWas
            if !isRight { return ["the store has \(texts), saved: \(isSaved)"] }
            if self == .closes { return [] }
            let shown = try Letter.find(sortedBy: .descending(\.name), in: held.context)
            return shown.map(\.text) == texts ? [] : ["\(shown.map(\.text)) is shown, not \(texts)"]
        }
    }
}
