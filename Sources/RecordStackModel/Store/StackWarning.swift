/// A warning about a mistake in how the program uses a stack.
///
/// ```swift
/// options.watching.handler = { warning in log("\(warning)") }
/// ```
///
/// A warning only informs you: the program continues as it would without the warning.
public struct StackWarning: Sendable {
    /// The kind of the warning.
    ///
    /// Later versions may add kinds, so add a default case when you switch over the kind.
    public let kind: Kind
    /// A description of what happened, and what to do instead.
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
        /// The stack reports this for each such wait.
        public static let longWait = Kind(name: .longWait)
        /// The main actor was busy with the store for longer than ``WatchOptions/mainThreadLimit``.
        ///
        /// The limit applies to one operation of the default context, or to one save for which the
        /// main actor waits. The stack reports this only one time.
        public static let mainThreadWork = Kind(name: .mainThreadWork)
        /// A context in use has changes based on changes that its parent has discarded.
        ///
        /// The stack reports this one time for each context.
        public static let parentMovedOn = Kind(name: .parentMovedOn)
        /// The process ends, and the default context has unsaved changes.
        ///
        /// Each stack with a store in a file reports this, unless the stack was closed.
        public static let unsavedChanges = Kind(name: .unsavedChanges)
        /// The program set a property of a detached object, so the value will not be saved.
        ///
        /// The stack reports this only one time.
        public static let detachedObject = Kind(name: .detachedObject)
        /// Two entities have relationships to each other that are not declared as inverses.
        ///
        /// If the program sets one of the relationships, the other does not change. If you intend
        /// this, declare ``RelationshipOption/oneWay``. The stack reports this one time for each
        /// pair of entities.
        public static let missingInverse = Kind(name: .missingInverse)
    }
}

extension StackWarning: CustomStringConvertible {
    /// The kind and the message.
    public var description: String { "RecordStack warning, \(kind): \(message)" }
}
