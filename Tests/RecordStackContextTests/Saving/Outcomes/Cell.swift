import RecordStack
import Testing

/// The ways of saving a child, in the words of the page.
enum Way: String, CaseIterable {
    case save = "try await child.save()"
    case saveAndWait = "try child.saveAndWait()"
    case block = "try await parent.saveWithBlock { }"
    case blockAndWait = "try parent.saveWithBlockAndWait { }"
    case blockWithCompletion = "parent.saveWithBlock({ }, completion:)"
    case stackBlock = "try await stack.saveWithBlock { }"
    case stackBlockAndWait = "try stack.saveWithBlockAndWait { }"
    case stackBlockWithCompletion = "stack.saveWithBlock({ }, completion:)"

    /// True if the program holds the child's context.
    var savesChild: Bool { self == .save || self == .saveAndWait }

    var hasCompletion: Bool { self == .blockWithCompletion || self == .stackBlockWithCompletion }

    /// The contexts that can be the parent.
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

/// The events during the save of a child, in the words of the page.
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

    /// Returns the edits that a level makes before the call, or that a block makes.
    func edits(of level: Level) -> Edits? {
        isDirty(level) ? Edits(level: level, flaw: happening.flaw(of: level)) : nil
    }

    var testDescription: String {
        "\(architecture), \(way.rawValue), parent: \(parent.rawValue), \(happening.rawValue), "
            + "child \(isChildDirty ? "dirty" : "clean"), parent \(isParentDirty ? "dirty" : "clean")"
    }

    /// All cells. A level without changes cannot have a flaw.
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
