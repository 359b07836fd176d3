extension ManagedObjectContext {
    /// This context and its ancestors, nearest first.
    var chain: [ManagedObjectContext] {
        var chain = [self]
        while let next = chain[chain.count - 1].parentContext { chain.append(next) }
        return chain
    }

    /// Goes from this context up. A save or an operation makes no array of what is one context most often.
    func forEachUp(_ body: (ManagedObjectContext) throws -> Void) rethrows {
        try body(self)
        var ancestor = parentContext
        while let context = ancestor {
            try body(context)
            ancestor = context.parentContext
        }
    }

    /// Goes from the topmost ancestor down to this context.
    func forEachDown(_ body: (ManagedObjectContext) throws -> Void) rethrows {
        if parentContext == nil { return try body(self) }
        for context in chain.reversed() { try body(context) }
    }
}
