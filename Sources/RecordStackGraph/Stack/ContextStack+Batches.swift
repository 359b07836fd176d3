package import RecordStackModel

/// An update or a deletion of all objects of a request, in its own transaction.
package struct BatchChange<Entity: ManagedObject>: Sendable {
    /// The new values; nil for a deletion.
    let assignments: [Assignment]?
    let request: FetchRequest<Entity>

    package static func deletion(of request: FetchRequest<Entity>) -> BatchChange {
        BatchChange(assignments: nil, request: request)
    }

    package static func update(
        of request: FetchRequest<Entity>, _ assignments: [Assignment]
    ) -> BatchChange { BatchChange(assignments: assignments, request: request) }
}

extension ContextStack {
    /// Runs a batch on the save queue, without blocking the caller's executor.
    package func perform<Entity: ManagedObject>(
        _ change: BatchChange<Entity>, _ options: SaveOptions, named name: String,
        isolation: isolated (any Actor)?
    ) async throws -> Int {
        try checkBatch(name)
        let cancellation = CancellationFlag()
        let count = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                saveQueue.run { [self] in
                    continuation.resume(with: Result { try run(change, options, cancellation) })
                }
            }
        } onCancel: {
            cancellation.set()
        }
        await coordinator.mergeOnReturnToMain()
        return count
    }

    /// Runs a batch on the save queue, and waits for it.
    package func performAndWait<Entity: ManagedObject>(
        _ change: BatchChange<Entity>, _ options: SaveOptions, named name: String
    ) throws -> Int {
        try checkBatch(name)
        let count = try saveQueue.runAndWait(as: name) { try run(change, options, nil) }
        coordinator.mergeOnReturnToMainAndWait()
        return count
    }

    private func checkBatch(_ name: String) throws {
        if coordinator.blocks.isInside { throw RecordStackError.insideBlock(name) }
        try coordinator.hooks.refuse(name)
        try coordinator.store.checkUsable()
    }

    private func run<Entity: ManagedObject>(
        _ change: BatchChange<Entity>, _ options: SaveOptions, _ cancellation: CancellationFlag?
    ) throws -> Int {
        try cancellation?.check()
        let entity = try coordinator.model.requireIndex(of: Entity.entityDescription)
        let request = try change.request.storeRequest(
            in: coordinator.model, store: coordinator.storeUUID(of: entity))
        guard let assignments = change.assignments else {
            if coordinator.needsObjects(toDelete: request) {
                return try runSaving(options, { try $0.delete(request) }, cancellation, as: .batch)
            }
            return try coordinator.perform(.delete, on: request, options, cancellation)
        }
        let values = try coordinator.values(of: assignments, request)
        if coordinator.needsObjects(toUpdate: request, assignments) {
            return try runSaving(
                options, { try $0.update(request, values, assignments) }, cancellation, as: .batch)
        }
        return try coordinator.perform(.update(values), on: request, options, cancellation)
    }
}

extension PersistentStoreCoordinator {
    /// Whether a deletion must load the objects, because relationships or hooks apply.
    fileprivate func needsObjects(toDelete request: StoreRequest) -> Bool {
        model.kinds(of: request).contains { kind in
            let entity = model.modelEntities[kind]
            let isRelated =
                !entity.references.isEmpty || !entity.relationships.isEmpty
                || model.joinTables.contains {
                    model.areKin($0.first.entity, kind) || model.areKin($0.second.entity, kind)
                }
            return isRelated || !types.hooks[kind].isDisjoint(with: LifeCycleHooks.deletion)
        }
    }

    fileprivate func needsObjects(
        toUpdate request: StoreRequest, _ assignments: [Assignment]
    ) -> Bool {
        if assignments.contains(where: \.isRelationship) { return true }
        return model.kinds(of: request).contains {
            !types.hooks[$0].isDisjoint(with: LifeCycleHooks.update)
        }
    }

    /// Returns the new values after checking that they can be assigned.
    fileprivate func values(
        of assignments: [Assignment], _ request: StoreRequest
    ) throws -> [BatchWrite.Value] {
        let entity = model.modelEntities[request.entity].description
        if assignments.isEmpty {
            throw RecordStackError(
                .misuse,
                "An update of \(entity.name) sets nothing. Say what, as in "
                    + "set: { $0.name.set(to: \"x\") }.", entity: entity.name)
        }
        var slots: Set<Int> = []
        return try assignments.map { assignment in
            if !assignment.problem.isEmpty {
                throw RecordStackError(.misuse, assignment.problem, entity: entity.name)
            }
            let property = entity.slots[assignment.slot].name
            guard slots.insert(assignment.slot).inserted else {
                throw RecordStackError(
                    .misuse, "An update sets \(entity.name).\(property) twice.",
                    entity: entity.name, property: property)
            }
            try assignment.target.map { try check($0, assignment.slot, request.entity) }
            try assignment.value.check(asking: entity)
            let operand = try assignment.value.resolved(in: storeUUID(of: request.entity)).storable
            if case .value(let value) = operand, !assignment.isRelationship {
                try check(value, assignment.slot, entity)
            }
            return BatchWrite.Value(slot: assignment.slot, operand: operand)
        }
    }

    private func check(_ target: ManagedObjectID, _ slot: Int, _ owner: Int) throws {
        let found = try requireEntity(of: target)
        guard
            let known = model.modelEntities[owner].relationships.first(where: { $0.slot == slot }),
            !model.modelEntities[known.destination].kinds.contains(found)
        else { return }
        let owner = model.modelEntities[owner]
        throw RecordStackError(
            .misuse,
            "\(owner.name).\(owner.description.slots[slot].name) refers to objects of "
                + "\(model.modelEntities[known.destination].name), and \(target) is none.",
            entity: owner.name, objectID: target, property: owner.description.slots[slot].name)
    }

    /// Validates a value that is the same for all objects, before anything is written.
    private func check(
        _ value: StoredValue, _ slot: Int, _ entity: EntityDescription
    ) throws {
        guard let attribute = entity.attributes.first(where: { $0.slot == slot }) else { return }
        let failures = attribute.failures(of: value, objectID: nil, in: entity)
        if failures.isEmpty { return }
        throw RecordStackError.validation(
            "Nothing was changed. " + failures.map(\.description).joined(separator: " "), failures)
    }
}

extension FilterOperand {
    /// The operand as the store keeps it: a NaN becomes null.
    fileprivate var storable: FilterOperand {
        if case .value(.real(let number)) = self, number.isNaN { return .value(.null) }
        return self
    }
}

extension ManagedObjectContext {
    /// Assigns new values to the objects of a request, all computed from the old ones.
    fileprivate func update(
        _ request: StoreRequest, _ values: [BatchWrite.Value], _ assignments: [Assignment]
    ) throws -> Int {
        let objects = try queries.fetch(request, as: ManagedObject.self)
        let news = try reading { _ in
            try objects.map { object in
                let subject = ObjectSubject(object: object, context: self)
                return try values.map { ($0.slot, try $0.operand.value(for: subject)) }
            }
        }
        let references = Set(assignments.filter(\.isRelationship).map(\.slot))
        for target in assignments.compactMap(\.target) { _ = try object(target).load() }
        for (object, values) in zip(objects, news) {
            _ = try assign(values.filter { !references.contains($0.0) }, to: object)
            for (slot, value) in values where references.contains(slot) {
                let key: Int64 = if case .integer(let key) = value { key } else { 0 }
                object.setReference(key, at: slot)
            }
        }
        return objects.count
    }
}
