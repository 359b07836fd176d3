import RecordStackGraph
import RecordStackModel

/// Finds the objects of a batch's rows, with one query for each entity, and gives them their values.
struct BatchResolver {
    let context: ManagedObjectContext
    let mapping: ImportMapping
    let objects: ImportedObjects

    init(context: ManagedObjectContext, mapping: ImportMapping) {
        self.context = context
        self.mapping = mapping
        objects = ImportedObjects(context)
    }

    func resolve(_ rows: [StagedRow], _ report: inout ImportReport) throws {
        for row in rows { try note(row, mapping) }
        try objects.prepare()
        try loadMembers(of: rows)
        for row in rows {
            switch try object(of: row, mapping, path: "", &report)?.outcome {
            case .inserted: report.inserted += 1
            case .updated: report.updated += 1
            case .unchanged: report.unchanged += 1
            case nil: report.skipped += 1
            }
        }
    }

    /// Wants the objects of a row, and of what it leads to.
    private func note(_ row: StagedRow, _ mapping: ImportMapping) throws {
        if let key = row.identity(mapping) {
            try objects.objects(of: mapping)?.want(key)
        }
        for (related, relation) in zip(row.related, mapping.relations) {
            guard case .members(let members, _, _) = related else { continue }
            for member in members {
                switch member {
                case .row(let nested): try note(nested, relation.destination)
                case .key(let value):
                    if let key = LookupKey(value) {
                        try objects.objects(of: relation.destination)?.want(key)
                    }
                case .unfit: break
                }
            }
        }
    }

    enum Outcome { case inserted, updated, unchanged }

    /// The object of a row, with its values and all that the row leads to.
    /// - Returns: nil for a row that is left out, which is reported.
    func object(
        of row: StagedRow, _ mapping: ImportMapping, path: String, _ report: inout ImportReport
    ) throws -> (object: ManagedObject, outcome: Outcome)? {
        if let problem = mapping.identityProblem { throw problem }
        let known = try objects.objects(of: mapping)
        let key = row.identity(mapping)
        var found = try key.flatMap { try known?.object(for: $0) }
        var acceptance = RowAcceptance(row, mapping, path: path, isNew: found == nil)
        guard acceptance.accept(found, &report),
            try hasAllKeys(row, mapping, key, path: path, &report),
            let needed = try neededLeads(of: row, mapping, found, path: path, &report)
        else { return nil }
        let isNew = found == nil
        // What it needs may have led back to it.
        if isNew && !needed.isEmpty { found = try key.flatMap { try known?.object(for: $0) } }
        let object = try found ?? context.create(mapping.type)
        var isChanged = try context.assign(acceptance.assignments, to: object)
        known?.keep(object)
        for lead in needed where object.relate(to: lead.object, at: lead.slot) { isChanged = true }
        let isRelated = try relate(object, row, mapping, isNew: isNew, path: path, &report)
        if isNew { return (object, .inserted) }
        return (object, isChanged || isRelated ? .updated : .unchanged)
    }
}
