import RecordStackModel

/// The properties of an entity, and of its relationships' destinations, that an export writes.
final class ExportSelection {
    /// The properties chosen by name; nil if all properties are.
    private var only: [String: ExportSelection]?
    /// The properties left out by name, and those left out of a relationship's destination.
    private var except: [String: ExportSelection] = [:]
    private var isLeftOut = false

    private init() {}

    /// Creates the selection of some options.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for a name that the entity does not have.
    init(_ options: ExportOptions, entity: EntityDescription) throws {
        if let chosen = options.only {
            only = [:]
            for path in chosen {
                try Self.follow(path, from: entity)
                choose(path.split(separator: ".").map(String.init)[...])
            }
        }
        for path in options.except {
            try Self.follow(path, from: entity)
            leaveOut(path.split(separator: ".").map(String.init)[...])
        }
    }

    private func choose(_ steps: ArraySlice<String>) {
        guard let first = steps.first else { return }
        let next = only?[first] ?? ExportSelection()
        only?[first] = next
        if steps.count == 1 { return }
        if next.only == nil { next.only = [:] }
        next.choose(steps.dropFirst())
    }

    private func leaveOut(_ steps: ArraySlice<String>) {
        guard let first = steps.first else {
            isLeftOut = true
            return
        }
        let next = except[first] ?? ExportSelection()
        except[first] = next
        next.leaveOut(steps.dropFirst())
    }

    func contains(_ name: String) -> Bool {
        if except[name]?.isLeftOut == true { return false }
        return only.map { $0[name] != nil } ?? true
    }

    /// Whether properties of a relationship's destination are chosen by name.
    func isChosenInside(_ name: String) -> Bool { only?[name]?.only != nil }

    /// Returns the selection of a relationship's destination.
    func inside(_ name: String) -> ExportSelection {
        let inner = ExportSelection()
        inner.only = only?[name]?.only
        inner.except = except[name]?.except ?? [:]
        return inner
    }

    private static func follow(_ path: String, from entity: EntityDescription) throws {
        var entity: EntityDescription? = entity
        for step in path.split(separator: ".", omittingEmptySubsequences: false) {
            guard let current = entity else { throw unknown(path, String(step), nil) }
            if let relationship = current.relationship(named: String(step)) {
                entity = relationship.destination
            } else if current.attribute(named: String(step)) != nil {
                entity = nil
            } else {
                throw unknown(path, String(step), current)
            }
        }
    }

    private static func unknown(
        _ path: String, _ step: String, _ entity: EntityDescription?
    ) -> RecordStackError {
        guard let entity else {
            return RecordStackError(
                .misuse, "“\(path)” cannot be exported: an attribute has no properties.")
        }
        let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
        return RecordStackError(
            .misuse,
            "“\(path)” cannot be exported: \(entity.name) has no property “\(step)”. It has "
                + "\(names.joined(separator: ", ")).", entity: entity.name)
    }
}
