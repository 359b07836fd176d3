public import RecordStackGraph

extension Factory {
    /// The same factory, which gives each object another one at the end of a to-one relationship,
    /// where the test has given it none.
    ///
    /// ```swift
    /// static let player = person.association(\.team, .team)
    ///
    /// let ann = try Factory.player.create(in: context)                        // has a team of her own
    /// let bob = try Factory.player.create(in: context) { $0.team = ann.team } // no other team is made
    /// ```
    ///
    /// - Parameters:
    ///   - keyPath: the relationship.
    ///   - factory: what makes the other object. It is asked for when it is needed, so that two
    ///     factories may name each other.
    public func association<Other: ManagedObject>(
        _ keyPath: any ReferenceWritableKeyPath<Entity, Other?> & Sendable,
        _ factory: @autoclosure @escaping @Sendable () -> Factory<Other>
    ) -> Factory {
        adding { object in
            guard object[keyPath: keyPath] == nil, let context = object.managedObjectContext else {
                return
            }
            object[keyPath: keyPath] = try factory().create(in: context)
        }
    }

    /// The same factory, which gives each object some members of a to-many relationship, where the
    /// test has given it none.
    ///
    /// ```swift
    /// static let fullTeam = team.association(\.members, 11, .person)
    /// ```
    ///
    /// - Parameters:
    ///   - keyPath: the relationship.
    ///   - count: how many members.
    ///   - factory: what makes them. Each is a member before the factory's own associations are
    ///     looked at.
    public func association<Other: ManagedObject>(
        _ keyPath: any KeyPath<Entity, ToMany<Other>> & Sendable, _ count: Int,
        _ factory: @autoclosure @escaping @Sendable () -> Factory<Other>
    ) -> Factory {
        adding { object in
            let members = object[keyPath: keyPath]
            guard members.isEmpty, let context = object.managedObjectContext else { return }
            try factory().create(count, in: context) { member, _ in members.insert(member) }
        }
    }
}
