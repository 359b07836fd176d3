import RecordStackGraph
import RecordStackModel

/// Finds the objects of a batch's rows, with one query, and gives them their values.
struct BatchResolver<Entity: ManagedObject> {
    let context: ManagedObjectContext
    let mapping: ImportMapping
    /// Finds objects by their identity, where the entity has one.
    private var lookup: ObjectLookup<Entity>?

    init(context: ManagedObjectContext, mapping: ImportMapping) throws {
        self.context = context
        self.mapping = mapping
        lookup = try mapping.entity.identity.map {
            try ObjectLookup(of: Entity.self, in: context, slots: [$0.slot])
        }
    }

    mutating func resolve(_ rows: [StagedRow], _ report: inout ImportReport) throws {
        let accepted = rows.compactMap { accept($0, &report) }
        let keys = accepted.compactMap(identity)
        try lookup?.prepare(keys)
        for row in accepted {
            if let key = identity(of: row), let object = try lookup?.object(for: key) {
                let isChanged = try context.assign(row.assignments, to: object)
                lookup?.keep(object)
                if isChanged { report.updated += 1 } else { report.unchanged += 1 }
                continue
            }
            if let missing = missingValue(of: row) {
                refuse(
                    row.number, missing.keys[0], missing.description.name, "is required.", &report)
                continue
            }
            let object = try context.create(Entity.self)
            _ = try context.assign(row.assignments, to: object)
            lookup?.keep(object)
            report.inserted += 1
        }
    }

    /// A row that can be imported, with what was wrong in it reported.
    private struct AcceptedRow {
        let number: Int
        let values: [StagedRow.Value]
        let assignments: [(slot: Int, value: StoredValue)]
    }

    private func accept(_ row: StagedRow, _ report: inout ImportReport) -> AcceptedRow? {
        if let refusal = row.refusal {
            refuse(row.number, "", nil, refusal, &report)
            return nil
        }
        var assignments: [(slot: Int, value: StoredValue)] = []
        assignments.reserveCapacity(row.values.count)
        for (slot, value) in row.values.enumerated() {
            guard let attribute = mapping.attributes[slot] else { continue }
            switch value {
            case .absent: break
            case .value(let stored, _): assignments.append((slot, stored))
            case .null(let path):
                if attribute.description.isOptional {
                    assignments.append((slot, .null))
                } else if let value = attribute.description.defaultValue {
                    assignments.append((slot, value))
                } else {
                    let name = attribute.description.name
                    refuse(row.number, attribute.keys[path], name, "is null.", &report)
                    return nil
                }
            case .unfit(let path, let found):
                let message = "is \(found), not \(attribute.expectation)."
                let name = attribute.description.name
                if !attribute.description.isOptional {
                    refuse(row.number, attribute.keys[path], name, message, &report)
                    return nil
                }
                report.problems.append(
                    ImportProblem(
                        row: row.number, path: attribute.keys[path], property: name,
                        message: "\(name) \(message)", isRowSkipped: false))
            }
        }
        return AcceptedRow(number: row.number, values: row.values, assignments: assignments)
    }

    private func refuse(
        _ row: Int, _ path: String, _ property: String?, _ message: String,
        _ report: inout ImportReport
    ) {
        report.skipped += 1
        report.problems.append(
            ImportProblem(
                row: row, path: path, property: property,
                message: property.map { "\($0) \(message)" } ?? message, isRowSkipped: true))
    }

    /// The value by which the row's object is known; a missing or null one never matches.
    private func identity(of row: AcceptedRow) -> LookupKey? {
        guard let slot = mapping.entity.identity?.slot, case .value(let value, _) = row.values[slot]
        else { return nil }
        return LookupKey(value)
    }

    /// The first attribute that a new object must be given and that the row does not have.
    private func missingValue(of row: AcceptedRow) -> ImportMapping.Attribute? {
        for attribute in mapping.attributes.compactMap({ $0 })
        where !attribute.description.hasDefault {
            if case .absent = row.values[attribute.description.slot] { return attribute }
        }
        return nil
    }
}
