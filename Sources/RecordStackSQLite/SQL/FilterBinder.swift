import RecordStackModel

/// Binds a filter's values to the parameters that ``FilterCompiler`` wrote for them.
struct FilterBinder {
    let statement: SQLiteStatement
    private(set) var index: Int32 = 0

    /// The bound values, if they are recorded.
    private(set) var recorded: [StoredValue] = []
    private let isRecording: Bool

    init(statement: SQLiteStatement, isRecording: Bool = false) {
        self.statement = statement
        self.isRecording = isRecording
    }

    mutating func bind(_ value: StoredValue) throws {
        index += 1
        if isRecording { recorded.append(value) }
        try statement.bind(value, at: index)
    }

    /// Binds a set of keys for ``KeptFunction``.
    mutating func bind(_ keys: KeySet) throws {
        index += 1
        if isRecording { recorded.append(.text("\(keys.count) keys")) }
        try statement.lend(keys, at: index)
    }

    mutating func bind(_ node: Filter.Node) throws {
        switch node {
        case .constant, .refers, .format, .invalid: break
        case .not(let node): try bind(node)
        case .and(let chain), .or(let chain): try chain.forEachInSQL { try bind($0) }
        case .isNull(let operand): try bind(operand)
        case .kept(_, let keys): try bind(keys)
        case .compare(let a, _, let b, _):
            try bind(a)
            try bind(b)
        case .text(let a, let match, let b, let options): try bind(a, match, b, options)
        case .among(let operand, let list, let options):
            try bind(operand)
            try bind(among: list.values, options)
        case .quantified(_, _, let node): try bind(node)
        }
    }

    mutating func bind(_ operand: FilterOperand) throws {
        switch operand {
        case .path: break
        case .value(let value): try bind(value)
        case .arithmetic(_, let a, let b):
            try bind(a)
            try bind(b)
        case .function(_, let operand): try bind(operand)
        case .aggregate(let aggregate):
            try aggregate.operand.map { try bind($0) }
            try aggregate.filter.map { try bind($0) }
        }
    }

    private mutating func bind(
        _ operand: FilterOperand, _ match: Filter.TextMatch, _ pattern: FilterOperand,
        _ options: TextOptions
    ) throws {
        guard TextForm(operand, match, pattern, options) == .range,
            case .value(.text(let text)) = pattern
        else {
            try bind(operand)
            return try bind(pattern)
        }
        try bindBounds(of: match == .like ? LikePattern.prefix(of: text) ?? text : text)
    }

    /// Binds the two bounds of the texts that have a prefix.
    ///
    /// The upper bound is the prefix, followed by a byte that never occurs in UTF-8.
    private mutating func bindBounds(of prefix: String) throws {
        try bind(.text(prefix))
        let bound = Array(prefix.utf8) + [0xFF]
        index += 1
        if isRecording { recorded.append(.blob(bound)) }
        try statement.bind(text: bound, at: index)
    }

    private mutating func bind(among values: [StoredValue], _ options: TextOptions) throws {
        let isFolded = options.contains(.diacriticInsensitive)
        let values = isFolded ? values.map { $0.folded(options) } : values
        switch AmongForm(values) {
        case .json: try bind(.text(ValueListText.plain(values)))
        case .encoded: try bind(.text(ValueListText.encoded(values)))
        case .parameters(let count):
            for parameter in 0..<count { try bind(values[min(parameter, values.count - 1)]) }
        }
    }
}
