import RecordStackModel

/// Everything that a store or a context has, as text that is the same for the same data: in every
/// run, in every store.
///
/// ```swift
/// let before = try test.dump()
/// try await importer.run()
/// print(try test.dump().difference(from: before))
/// ```
///
/// Entities come in the order of their names. Objects come in the order of their identity, the only
/// unique attribute or what `@Entity(identity:)` names, by which they are called:
/// `Person "ann@example.org"`, or `Line 7, 2` for the second line of order 7; without one, in the order
/// of their IDs, as `Note #1`, `Note #2`.
/// Properties come in the order of their declaration, attributes first, and every one is there.
/// Neither the store's UUID nor its keys are part of the text.
///
/// ```text
/// # Person (1)
/// Person "ann@example.org"
///   email: "ann@example.org"
///   born: 1979-03-05T00:00:00Z
///   photo: <ffd8ffe0>
///   age: nil
///   team: Team "A"
///
/// # Team (1)
/// Team "A"
///   title: "A"
///   members: 1
///     Person "ann@example.org"
/// ```
///
/// Values are as the store keeps them, so that NaN is nil. Text stands in quotes, with `\u{…}` for
/// what does not show. Dates that no millisecond, microsecond or nanosecond gives exactly are
/// written as seconds since 2001, `Date(0.1234567890123)`. More than 64 bytes of data are written as
/// their number, their beginning and a checksum. `unset` is a required property of a new object that
/// was given no value yet.
public struct StackDump: Sendable, Hashable {
    /// An entity and its objects. An object of a subentity is listed under its own entity alone.
    struct Entity: Sendable, Hashable {
        let name: String
        let objects: [Object]
    }

    /// An object and its properties.
    struct Object: Sendable, Hashable {
        let reference: Reference
        let properties: [Property]
    }

    /// A property and what it holds.
    struct Property: Sendable, Hashable {
        let name: String
        let value: Value
    }

    /// What a property holds.
    enum Value: Sendable, Hashable {
        case text(Text)
        case reference(Reference)
        case references([Reference], isOrdered: Bool)
    }

    let entities: [Entity]
    /// The store that the objects' keys are of: those of two dumps of one store can be compared.
    let store: StoreMark

    /// How many objects of an entity there are, those of subentities not among them.
    public func count(ofEntityNamed name: String) -> Int {
        entities.first { $0.name == name }?.objects.count ?? 0
    }
}

extension StackDump {
    /// What an object is called, and its key in the store that was dumped.
    struct Reference: Sendable, Hashable {
        let name: String
        let key: Key

        // Dumps of two stores with the same data are equal.
        static func == (lhs: Reference, rhs: Reference) -> Bool {
            lhs.name.hasSameBytes(as: rhs.name)
        }

        func hash(into hasher: inout Hasher) { Text(text: name).hash(into: &hasher) }
    }

    /// Text that is compared by its bytes: Swift takes two ways to write a letter for one.
    struct Text: Sendable, Hashable {
        let text: String

        static func == (lhs: Text, rhs: Text) -> Bool { lhs.text.hasSameBytes(as: rhs.text) }

        func hash(into hasher: inout Hasher) {
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    /// Where an object is in the store that was dumped.
    struct Key: Sendable, Hashable {
        let hierarchy: Int
        let number: Int64
    }
}

extension StackDump: CustomStringConvertible {
    /// The text, which ends with a newline.
    public var description: String {
        entities.map { entity in
            "# \(entity.name) (\(entity.objects.count))\n"
                + entity.objects.map(\.text).joined()
        }.joined(separator: "\n")
    }
}

extension StackDump.Object {
    /// A line with the object's name, and those of its properties.
    var text: String {
        ([reference.name] + propertyLines).joined(separator: "\n") + "\n"
    }

    var propertyLines: [String] { properties.flatMap(\.lines) }
}

extension StackDump.Property {
    var lines: [String] {
        switch value {
        case .text(let text): ["  \(name): \(text.text)"]
        case .reference(let reference): ["  \(name): \(reference.name)"]
        case .references(let references, _):
            ["  \(name): \(references.count)"] + references.map { "    \($0.name)" }
        }
    }
}
