extension Filter.Node {
    /// Both, or what is left of that where one is known.
    static func both(_ a: Self, _ b: Self) -> Self {
        switch (a, b) {
        case (.constant(let known), let other), (let other, .constant(let known)):
            known ? other : .constant(false)
        default: .and(a, b)
        }
    }

    /// One at least, or what is left of that where one is known.
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
