import FoundationEssentials

extension PredicateExpressions.KeyPath: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        switch try translator.term(root) {
        case .object(let object): return try translator.property(keyPath, of: object)
        case .members(let members): return try member(members, translator)
        case .constant(let constant):
            guard let value = constant.value as? Root.Output else { break }
            return .constant(PredicateConstant(value[keyPath: keyPath]))
        case .value(let value) where value.entity == nil:
            if let term = try value.property(keyPath, counting, translator) {
                return term
            }
        default: break
        }
        throw translator.refusal(
            "reads a property of a \(Root.Output.self)",
            "Of text and data, count and isEmpty can be asked; of an enum that is CaseIterable, all."
        )
    }

    private var counting: CountingProperty? {
        switch (kind, keyPath as AnyKeyPath) {
        // Data has its own `count` and `isEmpty`, which are not those of a collection.
        case (.collectionCount?, _), (_, \Data.count): .count
        case (.collectionIsEmpty?, _), (_, \Data.isEmpty): .isEmpty
        default: nil
        }
    }

    private func member(
        _ members: PredicateMembers, _ translator: PredicateTranslator
    ) throws -> PredicateTerm {
        let relationship = Root.Output.self as? any CountedRelationship.Type
        switch relationship?.property(at: keyPath) ?? counting {
        case .count: return .value(members.count)
        case .isEmpty: return .condition(members.quantified(.none))
        case nil:
            throw translator.refusal(
                "reads another property of members than count and isEmpty",
                "Ask with contains { … }, allSatisfy { … } or filter { … }.count.")
        }
    }
}

/// A property of members, texts and data that a predicate can read.
package enum CountingProperty {
    case count, isEmpty
}

/// A to-many relationship that recognizes its key paths.
package protocol CountedRelationship: ToManyRelationship {
    static func property(at keyPath: AnyKeyPath) -> CountingProperty?
}

/// An entity that recognizes the key path of its objects' IDs.
package protocol IdentifiedEntity: ManagedEntity {
    static func isObjectID(_ keyPath: AnyKeyPath) -> Bool
}

extension PredicateTranslator {
    fileprivate func property(
        _ keyPath: AnyKeyPath, of object: PredicateObject
    ) throws -> PredicateTerm {
        let (scope, steps) = (object.scope, object.steps)
        switch object.entity.property(at: keyPath) {
        case .attribute(let attribute)?:
            return .value(
                PredicateValue(
                    .path(
                        FilterPath(
                            scope: scope, steps: steps, slot: attribute.slot,
                            collation: attribute.type.collation))))
        case .relationship(let relationship)?:
            let destination = relationship.destination
            if let slot = relationship.slot {
                let step = FilterPath.Step(slot: slot, destination: destination)
                return .object(
                    PredicateObject(scope: scope, steps: steps + [step], entity: destination))
            }
            return .members(
                PredicateMembers(
                    relation: FilterRelation(
                        scope: scope, steps: steps, owner: object.entity,
                        relationship: relationship.index, destination: destination)))
        case nil:
            if (object.entity.type as? any IdentifiedEntity.Type)?.isObjectID(keyPath) == true {
                return .value(PredicateValue(.path(object.keyPath), entity: object.entity))
            }
            throw RecordStackError(
                .misuse, unknownProperty(of: object.entity.type), entity: object.entity.name)
        }
    }
}

extension PredicateValue {
    /// Returns a property of the value; nil if a filter cannot express it.
    fileprivate func property<Root, Output>(
        _ keyPath: KeyPath<Root, Output>, _ counting: CountingProperty?,
        _ translator: PredicateTranslator
    ) throws -> PredicateTerm? {
        if Root.self == String.self || Root.self == Data.self {
            let length = map { .function(.length, $0) }
            switch counting {
            case .count: return .value(length)
            case .isEmpty:
                return .condition(
                    length.comparing(.equal, PredicateValue(.value(.integer(0))), .binary))
            case nil: return nil
            }
        }
        if Root.self == Date.self { return moment(keyPath) }
        guard let type = Root.self as? any (CaseIterable & AttributeValue).Type else { return nil }
        return try enumProperty(keyPath, Output.self, of: type, translator)
    }

    private func moment(_ keyPath: AnyKeyPath) -> PredicateTerm? {
        if keyPath == \Date.timeIntervalSinceReferenceDate { return .value(self) }
        guard keyPath == \Date.timeIntervalSince1970 else { return nil }
        let offset = FilterOperand.value(.real(Date.timeIntervalBetween1970AndReferenceDate))
        return .value(map { .arithmetic(.add, $0, offset) })
    }

    /// Returns a property of an enum, with a value for each case of the enum.
    private func enumProperty<Root: CaseIterable & AttributeValue, Output>(
        _ keyPath: AnyKeyPath, _ output: Output.Type, of type: Root.Type,
        _ translator: PredicateTranslator
    ) throws -> PredicateTerm? {
        guard let keyPath = keyPath as? KeyPath<Root, Output> else { return nil }
        // The cases of the enum, by the value of the property.
        var groups: [StoredValue: [StoredValue]] = [:]
        for one in Root.allCases {
            guard let value = PredicateConstant(one[keyPath: keyPath]).stored else { return nil }
            groups[value, default: []].append(one.storedValue)
        }
        // The property is the raw value, which is what the store keeps.
        if groups.allSatisfy({ $0.value == [$0.key] }) { return .value(self) }
        var (cases, others) = ([Case](), Filter.Node.constant(true))
        for (value, stored) in groups.sorted(by: { $0.key.compare(to: $1.key) == .before }) {
            let matches = isAmong(stored)
            cases.append(Case(guardNode: matches, operand: .value(value)))
            others = .both(others, matches.negated)
        }
        cases.append(Case(guardNode: others, operand: .value(.null)))
        return .value(try translator.checked(PredicateValue(cases: cases)))
    }
}
