extension RecordStackError {
    /// The kind of an error.
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

        /// Objects break the rules of their entity.
        ///
        /// ``RecordStackError/failures`` lists every failure.
        public static let validation = Code(kind: .validation)
        /// An object was changed both in the context and elsewhere since it was read.
        ///
        /// ``RecordStackError/conflicts`` lists every conflict.
        public static let conflict = Code(kind: .conflict)
        /// The store rejected a duplicate of a unique value, or a reference to a missing object.
        public static let constraint = Code(kind: .constraint)
        /// Another process has locked the store.
        ///
        /// Trying again may succeed.
        public static let busy = Code(kind: .busy)
        /// The disk is full, or the store has reached its page limit.
        public static let full = Code(kind: .full)
        /// Reading or writing the file failed.
        public static let io = Code(kind: .io)
        /// The write failed at the very end, so the save may or may not be in the store.
        ///
        /// The next save of the stack finds out first, and writes nothing twice.
        public static let outcomeUnknown = Code(kind: .outcomeUnknown)
        /// The file is damaged, or a row holds a value that its property cannot have.
        public static let corrupt = Code(kind: .corrupt)
        /// The file is not a SQLite database.
        public static let notADatabase = Code(kind: .notADatabase)
        /// Another program created the store, or the store does not fit the model.
        ///
        /// A store fits if the model only adds to the one for which the store was created.
        public static let modelMismatch = Code(kind: .modelMismatch)
        /// A newer version of RecordStack wrote the store.
        public static let newerFormat = Code(kind: .newerFormat)
        /// The file cannot be opened.
        ///
        /// The path is a directory or unusable, or a folder or a permission is missing.
        public static let cannotOpen = Code(kind: .cannotOpen)
        /// The store cannot be written to.
        public static let readOnly = Code(kind: .readOnly)
        /// The stack was closed, or the object's context was reset or is gone.
        public static let closed = Code(kind: .closed)
        /// The call is not valid in this situation.
        ///
        /// The message says what to write instead.
        public static let misuse = Code(kind: .misuse)
        /// A delete rule prevents the deletion of an object.
        ///
        /// ``RecordStackError/blockers`` lists the objects that prevent it.
        public static let deletionDenied = Code(kind: .deletionDenied)
        /// The file of an open store was removed, renamed or replaced, so a save would be lost.
        public static let storeMoved = Code(kind: .storeMoved)
        /// A file already exists at the path where one was to be created.
        public static let fileExists = Code(kind: .fileExists)
        /// The requested object does not exist.
        public static let notFound = Code(kind: .notFound)
        /// Several objects match where exactly one was requested.
        public static let notUnique = Code(kind: .notUnique)
        /// Objects that could be loaded together were loaded one by one.
        ///
        /// Only strict loading throws this error.
        public static let loadedOneByOne = Code(kind: .loadedOneByOne)
        /// The data to import cannot be read.
        public static let importFailed = Code(kind: .importFailed)
        /// SQLite reported an error that has no code here.
        ///
        /// The message contains SQLite's own text.
        public static let store = Code(kind: .store)
    }
}
