extension RecordStackError {
    /// The kinds of error.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String {
            case validation, conflict, constraint, busy, full, io, outcomeUnknown, corrupt
            case notADatabase, modelMismatch, newerFormat, cannotOpen, readOnly, closed, misuse
            case notFound, importFailed, store, storeMoved, fileExists
            case deletionDenied, notUnique, loadedOneByOne
        }

        private let kind: Kind

        /// The code's name.
        public var description: String { kind.rawValue }

        /// Objects break the rules of their entity; ``RecordStackError/failures`` lists all.
        public static let validation = Code(kind: .validation)
        /// The same property was changed elsewhere since it was read.
        public static let conflict = Code(kind: .conflict)
        /// The store refused a value that must be unique, or a reference to a missing object.
        public static let constraint = Code(kind: .constraint)
        /// Another process holds the store; trying again may succeed.
        public static let busy = Code(kind: .busy)
        /// The disk, or the store's page limit, is full.
        public static let full = Code(kind: .full)
        /// Reading or writing the file failed.
        public static let io = Code(kind: .io)
        /// Writing failed at the very end: the save may be in the store or not. The next save of the
        /// stack finds out first, and writes nothing twice.
        public static let outcomeUnknown = Code(kind: .outcomeUnknown)
        /// The file is damaged, or a row holds what its property cannot.
        public static let corrupt = Code(kind: .corrupt)
        /// The file is not a SQLite database.
        public static let notADatabase = Code(kind: .notADatabase)
        /// The store was made by another program, or for a model to which this one does more than add.
        public static let modelMismatch = Code(kind: .modelMismatch)
        /// The store was written by a newer RecordStack.
        public static let newerFormat = Code(kind: .newerFormat)
        /// The file cannot be opened: a directory, a missing permission, a missing folder, an
        /// unusable path.
        public static let cannotOpen = Code(kind: .cannotOpen)
        /// The store cannot be written to.
        public static let readOnly = Code(kind: .readOnly)
        /// The stack was closed, or its context is gone.
        public static let closed = Code(kind: .closed)
        /// The call makes no sense where it was made; the message says what to write instead.
        public static let misuse = Code(kind: .misuse)
        /// A delete rule keeps an object from being deleted; ``RecordStackError/blockers`` lists the
        /// objects that stand in the way.
        public static let deletionDenied = Code(kind: .deletionDenied)
        /// The file of an open store was removed or replaced: what is saved would be lost.
        public static let storeMoved = Code(kind: .storeMoved)
        /// There is a file already where one was to be made.
        public static let fileExists = Code(kind: .fileExists)
        /// There is no such object.
        public static let notFound = Code(kind: .notFound)
        /// There are several such objects where one was asked for.
        public static let notUnique = Code(kind: .notUnique)
        /// Objects were loaded one by one that could be loaded together, where that is asked to be an error.
        public static let loadedOneByOne = Code(kind: .loadedOneByOne)
        /// What was to be imported cannot be read.
        public static let importFailed = Code(kind: .importFailed)
        /// SQLite refused in a way that has no code of its own; the message has SQLite's words.
        public static let store = Code(kind: .store)
    }
}
