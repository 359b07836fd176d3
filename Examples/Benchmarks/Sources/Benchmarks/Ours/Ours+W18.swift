import RecordStack

extension Ours {
    /// Inserts all persons in a child of the default context, and saves it to the disk.
    func insertInChild(under architecture: StackArchitecture) -> any Contender {
        OurInsert("\(architecture)", data, directory, architecture: architecture) { stack, rows in
            try await MainActor.run {
                let context = stack.defaultContext.newChild()
                for row in rows { try Person.insert(row, in: context) }
                try context.saveAndWait()
            }
        }
    }
}
