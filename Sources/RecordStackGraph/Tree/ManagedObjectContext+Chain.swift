extension ManagedObjectContext {
    /// This context and its ancestors, nearest first.
    var chain: [ManagedObjectContext] {
        var chain = [self]
        while let next = chain[chain.count - 1].parentContext { chain.append(next) }
        return chain
    }

    /// The contexts above this one, nearest first.
    var ancestors: some Sequence<ManagedObjectContext> {
        sequence(state: parentContext) { next in
            defer { next = next?.parentContext }
            return next
        }
    }

    /// Calls a body for this context and then for its ancestors, nearest first.
    ///
    /// A save or an operation needs no array for the chain, which usually is one context.
    func forEachUp(_ body: (ManagedObjectContext) throws -> Void) rethrows {
        try body(self)
        for context in ancestors { try body(context) }
    }

    /// Calls a body for each context of the chain, from the topmost ancestor down to this context.
    func forEachDown(_ body: (ManagedObjectContext) throws -> Void) rethrows {
        guard let parentContext else { return try body(self) }
        if parentContext.parentContext == nil {
            try body(parentContext)
            return try body(self)
        }
        for context in chain.reversed() { try body(context) }
    }
}
