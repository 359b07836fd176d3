import RecordStack

/// The entities of `HandHooks`, made by macros.
enum MacroHooks: HookTwin {
    @Entity class Singer: ManagedObject {
        @Attribute var name: String = "new"
        @Attribute var number: Int = 0
        @Attribute(.unique) var code: String?
        @Attribute(.transient) var greeting: String = "-"
        @Relationship(inverse: \Choir.members) var choir: Choir?

        override func awakeFromInsert() { note("awakeFromInsert") }
        override func awakeFromFetch() { note("awakeFromFetch") }
        override func willSave() { note("willSave") }
        override func didSave() { note("didSave") }
        override func prepareForDeletion() { note("prepareForDeletion") }
        override func validateForInsert() throws { try check("validateForInsert") }
        override func validateForUpdate() throws { try check("validateForUpdate") }
        override func validateForDelete() throws { try check("validateForDelete") }

        private func check(_ hook: String) throws {
            try HookJournal.note(hook, of: self, named: name)
        }

        /// Scripts of hooks that cannot throw do not.
        private func note(_ hook: String) { try? check(hook) }
    }

    @Entity final class Soloist: Singer {
        @Attribute var voice: String = "alto"
    }

    @Entity final class Choir: ManagedObject {
        @Attribute var title: String = "new"
        @Attribute var seats: Int = 10
        @Relationship var members: ToMany<Singer>

        #if os(Linux)
            override func awakeFromFetch() { note("awakeFromFetch") }
        #endif
        override func prepareForDeletion() { note("prepareForDeletion") }
        override func willSave() { note("willSave") }

        private func note(_ hook: String) { try? HookJournal.note(hook, of: self, named: title) }
    }
}

extension MacroHooks.Singer: SingerValues {
    var group: ManagedObject? {
        get { choir }
        set { choir = newValue as? MacroHooks.Choir }
    }
}

extension MacroHooks.Soloist: SoloistValues {}

extension MacroHooks.Choir: ChoirValues {
    var singers: [ManagedObject] { Array(members) }
}
