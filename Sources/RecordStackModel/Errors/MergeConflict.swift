/// A conflict between an object's unsaved changes and changes made elsewhere.
public struct MergeConflict: Sendable, CustomStringConvertible {
    /// A property that was changed on both sides.
    public struct Property: Sendable, Hashable {
        /// The property's name.
        public let name: String
        /// The value before either side changed it.
        public let base: StoredValue
        /// The value in the context that saves or pushes.
        public let ours: StoredValue
        /// The value in the store, or in the parent context.
        public let theirs: StoredValue

        package init(name: String, base: StoredValue, ours: StoredValue, theirs: StoredValue) {
            self.name = name
            self.base = base
            self.ours = ours
            self.theirs = theirs
        }

        /// Returns the three values, converted to a type.
        ///
        /// A value is nil if it is null or cannot be converted.
        ///
        /// ```swift
        /// let (base, ours, theirs) = property.values(as: Int.self)
        /// ```
        public func values<Value: AttributeValue>(
            as type: Value.Type
        ) -> (base: Value?, ours: Value?, theirs: Value?) {
            (
                Value(storedValue: base), Value(storedValue: ours), Value(storedValue: theirs)
            )
        }
    }

    /// The kind of a conflict.
    public enum Kind: Sendable, Hashable {
        /// At least one property was changed on both sides.
        case changedOnBothSides
        /// The context changed the object, which was deleted elsewhere.
        case deletedElsewhere
        /// The context deleted the object, which was changed elsewhere.
        case deletedHere
    }

    /// The ID of the object with the conflict.
    public let objectID: ManagedObjectID
    /// The kind of conflict.
    public let kind: Kind
    /// The properties that both sides changed.
    public let properties: [Property]

    package init(objectID: ManagedObjectID, kind: Kind, properties: [Property] = []) {
        self.objectID = objectID
        self.kind = kind
        self.properties = properties
    }

    /// One line about the object, followed by a table of the properties that both sides changed.
    public var description: String {
        let head =
            switch kind {
            case .changedOnBothSides: "\(objectID) was changed here and elsewhere."
            case .deletedElsewhere: "\(objectID) was changed here and deleted elsewhere."
            case .deletedHere: "\(objectID) was deleted here and changed elsewhere."
            }
        if properties.isEmpty { return head }
        let rows = properties.map { [$0.name] + [$0.base, $0.ours, $0.theirs].map(\.excerpt) }
        return head + Self.table([["property", "base", "ours", "theirs"]] + rows)
    }

    private static func table(_ rows: [[String]]) -> String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { text, width in
                text + String(repeating: " ", count: width - text.count)
            }
            let line = cells.joined(separator: "  ")
            return "\n  " + line[...(line.lastIndex { $0 != " " } ?? line.startIndex)]
        }.joined()
    }
}
