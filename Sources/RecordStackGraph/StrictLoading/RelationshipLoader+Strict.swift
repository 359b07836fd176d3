import RecordStackModel

extension RelationshipLoader {
    /// Records a query for a single object or its members, and reports the second of a kind.
    func noteSingleLoad(_ kind: SingleLoad) {
        if context.strictLoading.isOff { return }
        singleLoads[kind, default: 0] += 1
        if singleLoads[kind] != 2 { return }
        let error = RecordStackError.loadedOneByOne(what(kind), at: CallSite.current)
        switch context.strictLoading {
        case .off: break
        case .reporting(let tell): tell(error)
        case .throwing: context.errors.report(error)
        }
    }

    private func what(_ kind: SingleLoad) -> (entity: String, property: String?) {
        let entities = coordinator.model.modelEntities
        switch kind {
        case .faults(let entity): return (entities[entity].name, nil)
        case .toOne(let entity, let slot):
            return (entities[entity].name, entities[entity].description.slots[slot].name)
        case .toMany(let entity, let relationship):
            return (
                entities[entity].name,
                entities[entity].description.relationships[relationship].name
            )
        }
    }
}
