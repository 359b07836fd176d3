extension Filter.Node {
    /// Requires both conditions, and simplifies the result if one of them is constant.
    static func both(_ a: Self, _ b: Self) -> Self {
        switch (a, b) {
        case (.constant(let known), let other), (let other, .constant(let known)):
            known ? other : .constant(false)
        default: .and(a, b)
        }
    }

    /// Requires at least one condition, and simplifies the result if one of them is constant.
    static func either(_ a: Self, _ b: Self) -> Self {
        switch (a, b) {
        case (.constant(let known), let other), (let other, .constant(let known)):
            known ? .constant(true) : other
        default: .or(a, b)
        }
    }

    var negated: Self {
        switch self {
        case .constant(let known): .constant(!known)
        default: inverted
        }
    }
}
