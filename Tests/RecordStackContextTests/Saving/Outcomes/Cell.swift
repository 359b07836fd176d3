import RecordStack
import Testing

/// How a child is saved, as the page writes it.
enum Way: String, CaseIterable {
    case save = "try await child.save()"
    case saveAndWait = "try child.saveAndWait()"
    case block = "try await parent.saveWithBlock { }"
    case blockAndWait = "try parent.saveWithBlockAndWait { }"
    case blockWithCompletion = "parent.saveWithBlock({ }, completion:)"
    case stackBlock = "try await stack.saveWithBlock { }"
    case stackBlockAndWait = "try stack.saveWithBlockAndWait { }"
    case stackBlockWithCompletion = "stack.saveWithBlock({ }, completion:)"

    /// Whether the program has the child's context in its hands.
    var savesChild: Bool { self == .save || self == .saveAndWait }

    var hasCompletion: Bool { self == .blockWithCompletion || self == .stackBlockWithCompletion }

    /// Which contexts may be the parent.
    var parents: [Parent] {
        switch self {
        case .stackBlock, .stackBlockAndWait, .stackBlockWithCompletion: [.defaultContext]
        default: Parent.allCases
        }
    }
}

enum Parent: String, CaseIterable {
    case defaultContext = "the default context"
    case newContext = "a new context"
}

/// What happens while a child is saved, as the page has it.
enum Happening: String, CaseIterable {
    case nothing = "nothing fails"
    case childInvalid = "child invalid"
    case parentInvalid = "parent invalid"
    case bothInvalid = "both invalid"
    case childTaken = "child's value taken"
    case parentTaken = "parent's value taken"
    case busy = "store busy"
    case full = "disk full"
    case lost = "unknown and lost"
    case written = "unknown and written"

    func flaw(of level: Level) -> Flaw? {
        switch (self, level) {
        case (.childInvalid, .child), (.parentInvalid, .parent), (.bothInvalid, _): .invalid
        case (.childTaken, .child), (.parentTaken, .parent): .taken
        default: nil
        }
    }
}

/// One case of the matrix.
struct Cell: Sendable, CustomTestStringConvertible {
    let way: Way
    let parent: Parent
    let architecture: StackArchitecture
    let happening: Happening
    let isChildDirty: Bool
    let isParentDirty: Bool

    func isDirty(_ level: Level) -> Bool { level == .child ? isChildDirty : isParentDirty }

    /// What a level has changed before the call, or is going to change in a block.
    func edits(of level: Level) -> Edits? {
        isDirty(level) ? Edits(level: level, flaw: happening.flaw(of: level)) : nil
    }

    var testDescription: String {
        "\(architecture), \(way.rawValue), parent: \(parent.rawValue), \(happening.rawValue), "
            + "child \(isChildDirty ? "dirty" : "clean"), parent \(isParentDirty ? "dirty" : "clean")"
    }

    /// Every cell there is: what was not changed cannot be wrong.
    static let all: [Cell] = cells().filter { cell in
        Level.allCases.allSatisfy { cell.isDirty($0) || cell.happening.flaw(of: $0) == nil }
    }

    private static func cells() -> [Cell] {
        var cells: [Cell] = []
        for architecture in StackArchitecture.allCases {
            for way in Way.allCases {
                for parent in way.parents {
                    for happening in Happening.allCases {
                        for states in 0..<4 {
                            cells.append(
                                Cell(
                                    way: way, parent: parent, architecture: architecture,
                                    happening: happening, isChildDirty: states & 1 != 0,
                                    isParentDirty: states & 2 != 0))
                        }
                    }
                }
            }
        }
        return cells
    }
}
