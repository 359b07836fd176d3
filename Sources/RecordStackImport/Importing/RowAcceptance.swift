import RecordStackGraph
import RecordStackModel

/// What of a row's values an object takes, by the rules of each attribute.
struct RowAcceptance {
    private(set) var assignments: [(slot: Int, value: StoredValue)] = []
    private let row: StagedRow
    private let mapping: ImportMapping
    private let path: String
    private let isNew: Bool

    init(_ row: StagedRow, _ mapping: ImportMapping, path: String, isNew: Bool) {
        self.row = row
        self.mapping = mapping
        self.path = path
        self.isNew = isNew
    }

    /// - Parameter object: the object of the row, unless it is to be made.
    /// - Returns: whether the row is imported; if not, that is reported.
    mutating func accept(_ object: ManagedObject?, _ report: inout ImportReport) -> Bool {
        if let refusal = row.refusal {
            refuse("", nil, refusal, &report)
            return false
        }
        assignments.reserveCapacity(row.values.count)
        for (slot, value) in row.values.enumerated() {
            guard let attribute = mapping.attributes[slot] else { continue }
            guard accept(value, attribute, object, &report) else { return false }
        }
        if !isNew { return true }
        for attribute in mapping.needed
        where !assignments.contains(where: { $0.slot == attribute.description.slot }) {
            refuse(attribute.keys[0], attribute.description.name, "is required.", &report)
            return false
        }
        return true
    }

    private mutating func accept(
        _ value: StagedRow.Value, _ attribute: ImportMapping.Attribute, _ object: ManagedObject?,
        _ report: inout ImportReport
    ) -> Bool {
        let description = attribute.description
        switch value {
        case .absent: absent(attribute)
        case .value(let stored, _):
            if attribute.rules.takesValue(at: description.slot, of: object) {
                assignments.append((description.slot, stored))
            }
        case .null(let priority):
            if attribute.rules.null == .ignore {
                absent(attribute)
            } else if let null = empty(attribute, clears: attribute.rules.null == .clear) {
                assignments.append((description.slot, null))
            } else {
                refuse(attribute.keys[priority], description.name, "is null.", &report)
                return false
            }
        case .unfit(let priority, let found):
            let message = "is \(found), not \(attribute.expectation)."
            let key = attribute.keys[priority]
            if !description.isOptional {
                refuse(key, description.name, message, &report)
                return false
            }
            report.note(
                row.number, path: path, key: key, description.name,
                "\(description.name) \(message)")
        }
        return true
    }

    private mutating func absent(_ attribute: ImportMapping.Attribute) {
        // A new object has its defaults.
        if isNew || attribute.rules.absent == .leave { return }
        if let empty = empty(attribute, clears: attribute.rules.absent == .clear) {
            assignments.append((attribute.description.slot, empty))
        }
    }

    /// What an attribute without a value becomes; nil where it cannot be without.
    private func empty(_ attribute: ImportMapping.Attribute, clears: Bool) -> StoredValue? {
        let description = attribute.description
        if description.isOptional && clears { return .null }
        return description.defaultValue ?? (description.isOptional ? .null : nil)
    }

    private func refuse(
        _ key: String, _ property: String?, _ message: String, _ report: inout ImportReport
    ) {
        report.note(
            row.number, path: path, key: key, property,
            property.map { "\($0) \(message)" } ?? message, isLeftOut: true)
    }
}
