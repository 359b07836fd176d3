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
            case longWait
        }

        private let name: Name

        /// The kind's name.
        public var description: String { name.rawValue }

        /// A call that waits has waited for more than ``WatchOptions/waitLimit``. Once for each wait.
        public static let longWait = Kind(name: .longWait)
    }
}

extension StackWarning: CustomStringConvertible {
    /// The kind and the message.
    public var description: String { "RecordStack warning, \(kind): \(message)" }
}
