extension ImportValue {
    /// Whether more arrays and objects stand inside of one another than there may be. It looks no deeper than that, so that
    /// no value ends the thread's stack.
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
