import RecordStack

/// An actor with a context of its own, which follows what others save.
actor Warehouse {
    private let stack: ContextStack
    private lazy var context = stack.newContext(ownedBy: self, name: "warehouse")

    init(stack: ContextStack) {
        self.stack = stack
    }

    /// Adds what was delivered. Somebody else may change the same article: then the number is read again.
    func deliver(_ count: Int, of name: String) async throws -> Int {
        let article = try Article.findFirstOrCreate(by: \.name, name, in: context)
        while true {
            article.stock += count
            do {
                try await context.save()
                return article.stock
            } catch let error as RecordStackError where error.code == .conflict {
                try context.refresh(article, mergingChanges: false)
            }
        }
    }
}
