/// Guesses which parts of a store have another name in the model.
extension StoreDescription {
    /// Returns advice, one sentence for each entity or column that the model seems to have renamed.
    func renames(to wanted: StoreDescription) -> [String] {
        let gone = entities.filter { wanted.entity(named: $0.name) == nil }
        let new = wanted.entities.filter { entity(named: $0.name) == nil }
        let classes = gone.compactMap { old -> String? in
            let alike = new.filter { $0.isLike(old) }
            guard alike.count == 1, let now = alike.first else { return nil }
            return "If \(now.name) is \(old.name) renamed, write @Entity(\"\(old.name)\") before "
                + "it, which keeps the stored name."
        }
        return classes
            + entities.flatMap { old in wanted.entity(named: old.name).map(old.renames) ?? [] }
    }
}

extension StoreDescription.Entity {
    /// Whether the entity has columns of the same names and types.
    ///
    /// A reference to the entity itself refers to its new name.
    fileprivate func isLike(_ other: Self) -> Bool {
        superentity == other.superentity && columns.count == other.columns.count
            && zip(columns, other.columns).allSatisfy {
                $0.name == $1.name && $0.type == $1.type && $0.storage == $1.storage
            }
    }

    fileprivate func renames(to wanted: Self) -> [String] {
        let gone = columns.filter { old in !wanted.columns.contains { $0.name == old.name } }
        let new = wanted.columns.filter { column in !columns.contains { $0.name == column.name } }
        return gone.compactMap { old in
            let alike = new.filter { $0.isLike(old) }
            guard alike.count == 1, let now = alike.first else { return nil }
            let mark = old.destination == nil ? "Attribute" : "Relationship"
            return "If \(name).\(now.name) is \(old.name) renamed, write "
                + "@\(mark)(.stored(as: \"\(old.name)\")) before it, which keeps the stored name."
        }
    }
}

extension StoreDescription.Column {
    /// Whether the columns differ only in their names.
    fileprivate func isLike(_ other: Self) -> Bool {
        type == other.type && storage == other.storage && isOptional == other.isOptional
            && isUnique == other.isUnique && index == other.index
            && destination == other.destination && isOrdered == other.isOrdered
    }
}
