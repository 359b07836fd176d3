extension ManagedObjectModel {
    /// Warnings about relationships that look like undeclared inverses of each other.
    ///
    /// There is at most one warning for each pair of entities.
    package var missingInverseMessages: [String] {
        let open = relations.filter { relation in
            let declared = description(of: relation)
            return modelEntities[relation.entity].relationships[relation.relationship].inverse
                == nil
                && !declared.isOneWay && !declared.isSymmetric
        }
        var seen: Set<Set<Int>> = []
        var messages: [String] = []
        for (index, one) in open.enumerated() {
            for other in open[(index + 1)...]
            where refers(one, to: other.entity) && refers(other, to: one.entity)
                && couldBeInverses(one, other) && seen.insert([one.entity, other.entity]).inserted
            {
                messages.append(message(one, other))
            }
        }
        return messages
    }

    private func description(of relation: ModelRelation) -> RelationshipDescription {
        entities[relation.entity].relationships[relation.relationship]
    }

    private func refers(_ relation: ModelRelation, to entity: Int) -> Bool {
        description(of: relation).destination.isSame(as: entities[entity])
    }

    /// Whether two relationships may be the two ends of one relationship.
    ///
    /// Two relationships of an entity to itself usually are independent, unless one is to-one
    /// and the other is to-many.
    private func couldBeInverses(_ one: ModelRelation, _ other: ModelRelation) -> Bool {
        one.entity != other.entity
            || description(of: one).isToMany != description(of: other).isToMany
    }

    private func message(_ one: ModelRelation, _ other: ModelRelation) -> String {
        func name(_ relation: ModelRelation) -> String {
            "\(entities[relation.entity].name).\(description(of: relation).name)"
        }
        let (first, second) = (name(one), name(other))
        return
            "\(first) and \(second) refer to each other's entity, and neither is said to be the inverse of the "
            + "other: setting one does not change the other. If they are two ends of one relationship, write "
            + "@Relationship(inverse: \\\(second)) before \(first). If not, write @Relationship(.oneWay) before "
            + "one of them."
    }
}
