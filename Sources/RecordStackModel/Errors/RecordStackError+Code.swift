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

        /// An object breaks a rule of its entity.
        ///
        /// ``RecordStackError/failures`` lists every failure.
        public static let validation = Code(kind: .validation)
        /// An object's changes in the context conflict with changes made elsewhere.
        ///
        /// ``RecordStackError/conflicts`` lists every conflict.
        public static let conflict = Code(kind: .conflict)
        /// The store rejected a duplicate of a unique value, or a reference to a missing object.
        public static let constraint = Code(kind: .constraint)
        /// Another process has locked the store.
        ///
        /// A retry may succeed.
        public static let busy = Code(kind: .busy)
        /// The disk is full, or the store has reached its page limit.
        public static let full = Code(kind: .full)
        /// Reading or writing the file failed.
        public static let io = Code(kind: .io)
        /// The commit failed with an I/O error, so the save may or may not be in the store.
        ///
        /// The next save of the stack first finds out whether the store has the save. It never
        /// writes a change twice.
        public static let outcomeUnknown = Code(kind: .outcomeUnknown)
        /// The file is damaged, or a row holds a value that its property cannot have.
        public static let corrupt = Code(kind: .corrupt)
        /// The file is not a SQLite database.
        public static let notADatabase = Code(kind: .notADatabase)
        /// RecordStack did not create the database, or the store does not fit the model.
        ///
        /// A store keeps a copy of its model. It fits a model that adds to this copy only entities,
        /// and properties that are optional or have a default.
        public static let modelMismatch = Code(kind: .modelMismatch)
        /// A newer version of RecordStack wrote the store.
        public static let newerFormat = Code(kind: .newerFormat)
        /// The file cannot be opened.
        ///
        /// For example, the path is a directory, a folder is missing, or the process lacks
        /// permission.
        public static let cannotOpen = Code(kind: .cannotOpen)
        /// The store cannot be written to.
        public static let readOnly = Code(kind: .readOnly)
        /// The stack was closed, or the object's context was reset or no longer exists.
        public static let closed = Code(kind: .closed)
        /// The call is not valid in this situation.
        ///
        /// The message says what to do instead.
        public static let misuse = Code(kind: .misuse)
        /// A delete rule prevents the deletion of an object.
        ///
        /// ``RecordStackError/blockers`` lists the objects that prevent the deletion.
        public static let deletionDenied = Code(kind: .deletionDenied)
        /// The file of an open store was removed, renamed or replaced, so the save would be lost.
        public static let storeMoved = Code(kind: .storeMoved)
        /// A file already exists at the path of a new file.
        public static let fileExists = Code(kind: .fileExists)
        /// The requested object does not exist.
        public static let notFound = Code(kind: .notFound)
        /// Several objects match a request for exactly one object.
        public static let notUnique = Code(kind: .notUnique)
        /// The program loaded objects one by one that one request could have loaded together.
        ///
        /// Only strict loading throws this error.
        public static let loadedOneByOne = Code(kind: .loadedOneByOne)
        /// The data to import cannot be read.
        public static let importFailed = Code(kind: .importFailed)
        /// SQLite reported an error for which there is no other code.
        ///
        /// The message contains SQLite's own error text.
        public static let store = Code(kind: .store)
    }
}
