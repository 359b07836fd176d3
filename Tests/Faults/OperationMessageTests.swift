import RecordStack
import RecordStackModel
import SaveLoopLedger
import TestSupport
import Testing

/// The advice in error messages, which depends on the operation that failed.
@Suite("Messages by operation") struct OperationMessageTests {
    enum Operation: CaseIterable {
        case save, awaitedSave, childSave, push
        case block, awaitedBlock, laterBlock
        case stackBlock, awaitedStackBlock, laterStackBlock
        case update, deletion

        /// True if a context still has the edits after the operation failed.
        var keepsEdits: Bool { [.save, .awaitedSave, .childSave, .push].contains(self) }
        var isBatch: Bool { self == .update || self == .deletion }
        var isBlock: Bool { !keepsEdits && !isBatch }
    }

    enum Trouble: CaseIterable {
        case conflict, unknown, busy, full

        var code: RecordStackError.Code {
            switch self {
            case .conflict: .conflict
            case .unknown: .outcomeUnknown
            case .busy: .busy
            case .full: .full
            }
        }

        /// True if the operation can fail in this way.
        func canMeet(_ operation: Operation) -> Bool {
            switch operation {
            case .push: self == .conflict
            case .update, .deletion: self != .conflict
            default: true
            }
        }
    }

    private struct Scene {
        let ledger: FaultedLedger
        let trouble: Trouble
        let context: ManagedObjectContext
        let child: ManagedObjectContext
        let isPush: Bool

        /// Makes the change that the operation will save, and causes the trouble.
        func work(in context: ManagedObjectContext) throws {
            let account = try #require(try Account.findFirst(by: \.number, 0, in: context))
            account.balance += 1
            try cause()
        }

        func cause() throws {
            switch trouble {
            case .conflict where isPush:
                try Account.findFirst(by: \.number, 0, in: context)?.balance += 5
            case .conflict:
                try ForeignProgram(path: ledger.path).run(
                    "UPDATE Account SET balance = balance + 5, _version = _version + 1 WHERE number = 0"
                )
            case .unknown: ledger.disk.arm(Fault(call: .lastWrite, number: 1))
            case .full: ledger.disk.arm(Fault(call: .lastWrite, number: 1, reason: .full))
            case .busy: break
            }
        }

        func runWaiting(_ operation: Operation) throws {
            // Nothing else uses the scene while the call blocks.
            nonisolated(unsafe) let scene = self
            switch operation {
            case .save:
                try work(in: context)
                try context.saveAndWait()
            case .childSave:
                try work(in: child)
                try child.saveAndWait()
            case .push:
                try work(in: child)
                try child.push()
            case .block: try context.saveWithBlockAndWait { try scene.work(in: $0) }
            case .stackBlock:
                try ledger.stack.saveWithBlockAndWait { try scene.work(in: $0) }
            case .update:
                try cause()
                try ledger.stack.updateAndWait(Account.all) { $0.balance += 1 }
            default:
                try cause()
                try ledger.stack.deleteAndWait(Receipt.all)
            }
        }

        func run(_ operation: Operation) async throws {
            // Nothing else uses the scene while the call is awaited.
            nonisolated(unsafe) let scene = self
            switch operation {
            case .awaitedSave:
                try work(in: context)
                try await context.save()
            case .awaitedBlock: try await context.saveWithBlock { try scene.work(in: $0) }
            case .awaitedStackBlock:
                try await ledger.stack.saveWithBlock { try scene.work(in: $0) }
            case .laterBlock:
                try await withCheckedThrowingContinuation { continuation in
                    context.saveWithBlock({ try scene.work(in: $0) }) {
                        continuation.resume(with: $0)
                    }
                }
            case .laterStackBlock:
                let stack = try ledger.stack
                try await withCheckedThrowingContinuation { continuation in
                    stack.saveWithBlock({ try scene.work(in: $0) }) {
                        continuation.resume(with: $0)
                    }
                }
            default: try runWaiting(operation)
            }
        }
    }

    @Test(arguments: Operation.allCases, Trouble.allCases)
    func `an error message gives the advice that fits the failed operation`(
        _ operation: Operation, _ trouble: Trouble
    ) async throws {
        guard trouble.canMeet(operation) else { return }
        let ledger = try FaultedLedger { $0.busyTimeout = 0.05 }
        for number in 1...2 { try ledger.save(number) }
        let context = try ledger.stack.newContext()
        let scene = Scene(
            ledger: ledger, trouble: trouble, context: context, child: context.newChild(),
            isPush: operation == .push)
        let lock = trouble == .busy ? try ForeignLock(path: ledger.path) : nil
        var thrown: RecordStackError?
        do { try await scene.run(operation) } catch let error as RecordStackError { thrown = error }
        ledger.disk.mend()
        try lock?.release()
        let error = try #require(thrown)
        #expect(error.code == trouble.code, "\(error)")
        check(error.message, operation, trouble)
        let edited = operation == .childSave || operation == .push ? scene.child : context
        #expect(edited.hasChanges == operation.keepsEdits)
        try doAgain(operation, trouble, scene, edited)
    }

    private func check(_ message: String, _ operation: Operation, _ trouble: Trouble) {
        let isAmbiguous = trouble == .conflict || trouble == .unknown
        let sentences = [
            ("ave again", isAmbiguous && operation.keepsEdits && operation != .push),
            ("push again", isAmbiguous && operation == .push),
            ("block again", isAmbiguous && operation.isBlock),
            ("context is gone", isAmbiguous && operation.isBlock),
            ("before the call is made again", trouble == .unknown && operation.isBatch),
            ("Nothing was saved", trouble == .conflict && operation != .push),
            ("Nothing was pushed", trouble == .conflict && operation == .push),
            ("may be in the store or not", trouble == .unknown),
            ("ry again", !isAmbiguous),
            ("edits", false),
        ]
        for (sentence, isTrue) in sentences {
            #expect(message.contains(sentence) == isTrue, "“\(sentence)”: \(message)")
        }
    }

    /// Follows the advice of the message, and checks the result.
    private func doAgain(
        _ operation: Operation, _ trouble: Trouble, _ scene: Scene, _ context: ManagedObjectContext
    ) throws {
        guard operation.keepsEdits else { return }
        let account = try #require(try Account.findFirst(by: \.number, 0, in: context))
        if trouble == .conflict { try account.resolveConflict(on: \.balance, keeping: .ours) }
        if operation == .push { try context.push() }
        try (operation == .push ? scene.context : context).saveAndWait()
        let stored = try Account.findFirst(by: \.number, 0, in: scene.ledger.stack.newContext())
        #expect(stored?.balance == 7)
    }
}
