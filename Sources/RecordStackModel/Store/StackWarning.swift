/// A use of a stack that its program should avoid.
///
/// ```swift
/// options.watching.handler = { warning in log("\(warning)") }
/// ```
///
/// A warning has no other effect on the program.
public struct StackWarning: Sendable {
    /// The kind of the warning.
    ///
    /// New kinds may be added: switch over it with a default.
    public let kind: Kind
    /// A text that says what happened and what to do instead.
    public let message: String

    package init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// A kind of warning.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        private enum Name: String {
            case longWait, mainThreadWork, parentMovedOn, unsavedChanges, detachedObject
            case missingInverse
        }

        private let name: Name

        /// The kind's name.
        public var description: String { name.rawValue }

        /// A call has waited for longer than ``WatchOptions/waitLimit``.
        ///
        /// Reported once for each wait.
        public static let longWait = Kind(name: .longWait)
        /// The main actor was busy with the store for longer than ``WatchOptions/mainThreadLimit``.
        ///
        /// The time is that of one operation of the default context, or of one save that waits.
        /// Reported once for each stack.
        public static let mainThreadWork = Kind(name: .mainThreadWork)
        /// A context in use has changes based on changes that its parent has since discarded.
        ///
        /// Reported once for each context.
        public static let parentMovedOn = Kind(name: .parentMovedOn)
        /// The process ends while the default context has unsaved changes.
        ///
        /// Reported once for each stack that was not closed and whose store is in a file.
        public static let unsavedChanges = Kind(name: .unsavedChanges)
        /// A property of a detached object was set, so that the value will not be saved.
        ///
        /// Reported once for each stack.
        public static let detachedObject = Kind(name: .detachedObject)
        /// Two entities have relationships to each other that are not declared as inverses.
        ///
        /// Setting one of them does not change the other. Reported once for each pair of entities
        /// in a stack. If this is intended, declare ``RelationshipOption/oneWay``.
        public static let missingInverse = Kind(name: .missingInverse)
    }
}

extension StackWarning: CustomStringConvertible {
    /// The kind and the message.
    public var description: String { "RecordStack warning, \(kind): \(message)" }
}
