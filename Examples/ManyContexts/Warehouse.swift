import RecordStack

/// An actor that owns a context, which follows other saves.
actor Warehouse {
    private let stack: ContextStack
    private lazy var context = stack.newContext(ownedBy: self, name: "warehouse")

    init(stack: ContextStack) {
        self.stack = stack
    }

    /// Adds a delivery to the stock. On a conflict with another save, it reads the number again.
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
