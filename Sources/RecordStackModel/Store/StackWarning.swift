/// Something that a stack was seen to be used for, and that its program had better not do.
///
/// ```swift
/// options.watching.handler = { warning in log("\(warning)") }
/// ```
///
/// Nothing else happens: the program goes on as if nobody had looked.
public struct StackWarning: Sendable {
    /// What kind of warning it is. New ones may come; switch over it with a default.
    public let kind: Kind
    /// Who did what, and what to do instead.
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

        /// A call that waits has waited for more than ``WatchOptions/waitLimit``. Once for each wait.
        public static let longWait = Kind(name: .longWait)
        /// The main actor has spent more than ``WatchOptions/mainThreadLimit`` with the store in one
        /// operation of the default context, or in a save that waits. Once for each stack.
        public static let mainThreadWork = Kind(name: .mainThreadWork)
        /// A context is used whose changes rest on changes that its parent has given up since. Once for
        /// each context.
        public static let parentMovedOn = Kind(name: .parentMovedOn)
        /// The process ends, and the default context of a store in a file, which was not closed, has
        /// unsaved changes. Once for each stack.
        public static let unsavedChanges = Kind(name: .unsavedChanges)
        /// A property was set of an object that belongs to no context any more, so that nobody will save
        /// it. Once for each stack.
        public static let detachedObject = Kind(name: .detachedObject)
        /// Two entities have relationships to each other, and neither is the inverse of the other, so that setting one
        /// leaves the other as it was. Once for each two entities of a stack. ``RelationshipOption/oneWay`` says that it
        /// is meant.
        public static let missingInverse = Kind(name: .missingInverse)
    }
}

extension StackWarning: CustomStringConvertible {
    /// The kind and the message.
    public var description: String { "RecordStack warning, \(kind): \(message)" }
}
