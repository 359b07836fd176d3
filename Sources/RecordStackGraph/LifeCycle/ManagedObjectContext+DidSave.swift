/// A save under way whose objects are told when it is done.
struct ExpectedSave {
    let ticket: SaveTicket
    let objects: [ManagedObject]
}

// `didSave()` is called when a context has taken the acknowledgement of its save in, which is usually
// before the save returns. A save that was written after its call returned, or whose outcome was found
// out later, is acknowledged to an operation that comes later.
extension ManagedObjectContext {
    /// Notes which objects of this context and its ancestors a save is going to write.
    func expectDidSave(of ticket: SaveTicket) {
        guard coordinator.types.allHooks.contains(.didSave) else { return }
        for context in chain {
            let objects = context.changedObjects { hooks[$0].contains(.didSave) }
            if objects.isEmpty { continue }
            context.expectedSaves.append(ExpectedSave(ticket: ticket, objects: objects))
        }
    }

    /// A save of this context was acknowledged.
    func noteSaved(_ ticket: SaveTicket) {
        guard let place = expectedSaves.firstIndex(where: { $0.ticket === ticket }) else { return }
        savedObjects += expectedSaves.remove(at: place).objects
        owesHooks = true
    }

    /// Takes in what was committed, in this context and its ancestors, and forgets the saves that have failed.
    private func drainAfterSave() {
        var finished: [(context: ManagedObjectContext, ticket: SaveTicket)] = []
        forEachUp { context in
            for save in context.expectedSaves where !save.ticket.isUnderWay {
                finished.append((context, save.ticket))
            }
        }
        mergeCommits(isForced: true)
        // A save is acknowledged before it is finished, so that one that was not has failed; unless
        // nobody knows yet.
        for (context, ticket) in finished where !coordinator.isUnsettled(ticket) {
            context.expectedSaves.removeAll { $0.ticket === ticket }
        }
    }

    /// What follows a save, whether or not it has succeeded.
    func endSave() {
        hearOfSave()
        top.publishChanges()
    }

    /// Takes in what was committed, in this context and its ancestors, and calls the hooks that follow.
    func hearOfSave() {
        drainAfterSave()
        forEachDown { $0.callOwedHooks() }
    }

    func callDidSave() {
        let saved = savedObjects
        if saved.isEmpty { return }
        savedObjects = []
        coordinator.hooks.running("didSave()") { for object in saved { object.didSave() } }
    }
}
