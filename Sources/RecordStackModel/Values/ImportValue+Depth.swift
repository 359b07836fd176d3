extension ImportValue {
    /// Whether the value has more levels of nested arrays and objects than a limit.
    ///
    /// The check stops at the limit, so that no value overflows the thread's stack.
    package func isDeeper(than most: Int) -> Bool {
        switch self {
        case .array(let values):
            return most == 0 || values.contains { $0.isDeeper(than: most - 1) }
        case .object(let members):
            return most == 0 || members.contains { $0.value.isDeeper(than: most - 1) }
        case .null, .bool, .number, .string, .date, .data: return false
        }
    }
}
