import FoundationEssentials
import RecordStackModel

/// What a store says of the model that it was made for.
struct StoreDescription: Codable, Equatable {
    struct Column: Codable, Equatable {
        let name: String
        let type: String
        let storage: String
        let isOptional: Bool
        let isUnique: Bool
        let isIndexed: Bool
        /// The entity that a relationship leads to.
        let destination: String?
    }

    struct Entity: Codable, Equatable {
        let name: String
        let superentity: String?
        /// Its own columns, without inherited ones.
        let columns: [Column]
    }

    let entities: [Entity]

    /// Sorted by name, so that the order in which a program lists its entities does not matter.
    init(model: ManagedObjectModel) {
        entities = model.entities.map { description in
            let inherited = description.superentity?.slots.count ?? 0
            let columns = description.slots.dropFirst(inherited).map { slot in
                Column(
                    name: slot.storedName, type: slot.type.name,
                    storage: slot.type.storage.rawValue, isOptional: slot.isOptional,
                    isUnique: slot.isUnique, isIndexed: slot.isIndexed,
                    destination: slot.relationship.map {
                        description.relationships[$0].destination.name
                    })
            }
            return Entity(
                name: description.name, superentity: description.superentity?.name,
                columns: columns.sorted { $0.name < $1.name })
        }.sorted { $0.name < $1.name }
    }

    init(text: String) throws {
        self = try JSONDecoder().decode(StoreDescription.self, from: Data(text.utf8))
    }

    func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    /// What a program's model has that the store has not, and the reverse, in sentences.
    func differences(from wanted: StoreDescription) -> [String] {
        let mine = Dictionary(uniqueKeysWithValues: entities.map { ($0.name, $0) })
        let theirs = Dictionary(uniqueKeysWithValues: wanted.entities.map { ($0.name, $0) })
        var lines: [String] = []
        for name in Set(mine.keys).union(theirs.keys).sorted() {
            switch (mine[name], theirs[name]) {
            case (let stored?, let wanted?): lines += stored.differences(from: wanted)
            case (nil, _?): lines.append("\(name) is new in the model")
            default: lines.append("\(name) is in the store only")
            }
        }
        return lines
    }
}

extension StoreDescription.Entity {
    func differences(from wanted: Self) -> [String] {
        var lines: [String] = []
        if superentity != wanted.superentity {
            lines.append(
                "\(name) inherits from \(wanted.superentity ?? "nothing"), in the store from "
                    + (superentity ?? "nothing"))
        }
        let mine = Dictionary(uniqueKeysWithValues: columns.map { ($0.name, $0) })
        let theirs = Dictionary(uniqueKeysWithValues: wanted.columns.map { ($0.name, $0) })
        for column in Set(mine.keys).union(theirs.keys).sorted() {
            switch (mine[column], theirs[column]) {
            case (let stored?, let wanted?) where stored != wanted:
                lines.append(
                    "\(name).\(column) is \(wanted.summary), in the store \(stored.summary)")
            case (nil, _?): lines.append("\(name).\(column) is new in the model")
            case (_?, nil): lines.append("\(name).\(column) is in the store only")
            default: break
            }
        }
        return lines
    }
}

extension StoreDescription.Column {
    var summary: String {
        let rules = [
            isOptional ? "optional" : nil, isUnique ? "unique" : nil, isIndexed ? "indexed" : nil,
        ].compactMap { $0 }
        return ([destination.map { "a reference to \($0)" } ?? type] + rules).joined(separator: " ")
    }
}
