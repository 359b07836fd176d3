import RecordStackModel

/// Everything in a store or a context, as text for comparing and printing.
///
/// ```swift
/// let before = try test.dump()
/// try await importer.run()
/// print(try test.dump().difference(from: before))
/// ```
///
/// The same data gives the same text in every run and in every store. The text contains neither the
/// store's UUID nor the keys of rows. Entities are sorted by name. Each object lists its attributes
/// and then its relationships, each in the order of declaration.
///
/// Objects are sorted by their identity, which is also their name in the dump. The identity is the
/// entity's only unique attribute, or the properties that `@Entity(identity:)` names. Examples are
/// `Person "ann@example.org"`, and `Line 7, 2` for the second line of invoice 7. Objects without an
/// identity are sorted by ID, and are named `Note #1`, `Note #2` and so on.
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
/// Values are shown in their stored form, so NaN is nil. Text is in quotes, with `\u{…}` for
/// invisible characters. If a date needs more than nine decimals of a second, it is shown in
/// seconds since 2001, as in `Date(0.1234567890123)`. Data of more than 64 bytes is shown as its
/// length, its first bytes and a checksum. `unset` means that a required property of a new object
/// has no value yet.
public struct StackDump: Sendable, Hashable {
    /// An entity and its objects. Objects of subentities are listed under their own entity.
    struct Entity: Sendable, Hashable {
        let name: String
        let objects: [Object]
    }

    /// An object and its properties.
    struct Object: Sendable, Hashable {
        let reference: Reference
        let properties: [Property]
    }

    /// A property and its value.
    struct Property: Sendable, Hashable {
        let name: String
        let value: Value
    }

    /// The value of a property.
    enum Value: Sendable, Hashable {
        case text(Text)
        case reference(Reference)
        case references([Reference], isOrdered: Bool)
    }

    let entities: [Entity]
    /// The store of the objects' keys. Keys are comparable only between dumps of one store.
    let store: StoreMark

    /// Returns the number of objects of an entity, without objects of its subentities.
    public func count(ofEntityNamed name: String) -> Int {
        entities.first { $0.name == name }?.objects.count ?? 0
    }
}

extension StackDump {
    /// An object's name, and its key in the dumped store.
    struct Reference: Sendable, Hashable {
        let name: String
        let key: Key

        // Ignores the key, so that dumps of two stores with the same data are equal.
        static func == (lhs: Reference, rhs: Reference) -> Bool {
            lhs.name.hasSameBytes(as: rhs.name)
        }

        func hash(into hasher: inout Hasher) { Text(text: name).hash(into: &hasher) }
    }

    /// Text that is compared by its bytes.
    ///
    /// Swift's own comparison treats two encodings of one character as equal.
    struct Text: Sendable, Hashable {
        let text: String

        static func == (lhs: Text, rhs: Text) -> Bool { lhs.text.hasSameBytes(as: rhs.text) }

        func hash(into hasher: inout Hasher) {
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    /// The row key of an object in the dumped store.
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
    /// A line with the object's name, and the lines of its properties.
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
