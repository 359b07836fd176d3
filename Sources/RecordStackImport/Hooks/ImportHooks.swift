public import RecordStackGraph
public import RecordStackModel

/// Closures that a program adds to one import, in addition to the hooks of ``Importable``.
///
/// ```swift
/// var hooks = ImportHooks()
/// hooks.shouldImport(Person.self) { row in row["deleted"] != true }
/// hooks.transform(\Person.name) { .string($0.string?.capitalized ?? "") }
/// hooks.didImport(Person.self) { person, row in person.source = "crm" }
/// try Person.importJSON(data, in: context, hooks: hooks)
/// ```
///
/// The hooks of an entity also apply to its subentities. If you add several hooks of one kind, they
/// run in the order in which you added them. A row is imported only if all `shouldImport` hooks
/// return true. If a hook throws, the import ends. If a transform throws, the import treats the
/// value as one that does not convert, and reports a problem.
public struct ImportHooks {
    private struct Hook<Body> {
        let type: ManagedObject.Type
        let body: Body
    }

    private struct Transform {
        let type: ManagedObject.Type
        let keyPath: AnyKeyPath
        let body: (ImportValue) throws -> ImportValue
    }

    private var should: [Hook<(ImportRow) throws -> Bool>] = []
    private var will: [Hook<(ManagedObject, ImportRow) throws -> Void>] = []
    private var did: [Hook<(ManagedObject, ImportRow) throws -> Void>] = []
    private var transforms: [Transform] = []

    /// Creates a value without hooks.
    public init() {}

    /// Adds a hook that decides whether to import a row, before the import looks for the object.
    public mutating func shouldImport<Entity: ManagedObject>(
        _ type: Entity.Type, _ body: @escaping (ImportRow) throws -> Bool
    ) {
        should.append(Hook(type: type, body: body))
    }

    /// Adds a hook that runs after the object is found or created and before its values are set.
    public mutating func willImport<Entity: ManagedObject>(
        _ type: Entity.Type, _ body: @escaping (Entity, ImportRow) throws -> Void
    ) {
        will.append(Hook(type: type, body: Self.downcasting(body)))
    }

    /// Adds a hook that runs after the object has the row's values and its related objects.
    public mutating func didImport<Entity: ManagedObject>(
        _ type: Entity.Type, _ body: @escaping (Entity, ImportRow) throws -> Void
    ) {
        did.append(Hook(type: type, body: Self.downcasting(body)))
    }

    /// Adds a transform of an attribute's values, to run after the attribute's `.importTransform`.
    public mutating func transform<Entity: ManagedObject, Value: AttributeValue>(
        _ attribute: KeyPath<Entity, Value>,
        _ body: @escaping (ImportValue) throws -> ImportValue
    ) {
        transforms.append(Transform(type: Entity.self, keyPath: attribute, body: body))
    }

    private static func downcasting<Entity: ManagedObject>(
        _ body: @escaping (Entity, ImportRow) throws -> Void
    ) -> (ManagedObject, ImportRow) throws -> Void {
        { object, row in
            // `unsafeDowncast`: the hook runs only for objects of the entity and its subentities.
            try body(unsafeDowncast(object, to: Entity.self), row)
        }
    }
}

extension ImportHooks {
    func transforms(
        of entity: EntityDescription, slot: Int
    ) -> [(ImportValue) throws -> ImportValue] {
        transforms.compactMap { transform in
            guard entity.isKind(of: transform.type.entityDescription),
                case .attribute(let attribute)? = transform.type.entityDescription.anyProperty(
                    at: transform.keyPath),
                attribute.slot == slot
            else { return nil }
            return transform.body
        }
    }

    /// Whether any value is transformed before it is converted.
    var hasTransforms: Bool { !transforms.isEmpty }

    /// Checks that all transforms belong to attributes.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for a transform of any other property.
    func check() throws {
        for transform in transforms {
            let entity = transform.type.entityDescription
            if case .attribute? = entity.anyProperty(at: transform.keyPath) { continue }
            throw RecordStackError(
                .misuse, "A transform of an import is of an attribute: \\\(entity.name).name.",
                entity: entity.name)
        }
    }

    fileprivate func wanting(
        _ type: ManagedObject.Type
    ) -> [(ImportRow) throws -> Bool] {
        Self.bodies(should, of: type)
    }

    fileprivate func before(
        _ type: ManagedObject.Type
    ) -> [(ManagedObject, ImportRow) throws -> Void] {
        Self.bodies(will, of: type)
    }

    fileprivate func after(
        _ type: ManagedObject.Type
    ) -> [(ManagedObject, ImportRow) throws -> Void] {
        Self.bodies(did, of: type)
    }

    private static func bodies<Body>(
        _ hooks: [Hook<Body>], of type: ManagedObject.Type
    ) -> [Body] {
        let entity = type.entityDescription
        return hooks.filter { entity.isKind(of: $0.type.entityDescription) }.map(\.body)
    }
}

/// The hooks for the rows of an entity: the entity's own, and those of the import.
struct RowHooks {
    let discriminator: ImportDiscriminator?
    let identity: ((ImportRow) throws -> ImportValue?)?
    private let should: [(ImportRow) throws -> Bool]
    private let will: [(ManagedObject, ImportRow) throws -> Void]
    private let did: [(ManagedObject, ImportRow) throws -> Void]

    init(of type: ManagedObject.Type, _ hooks: ImportHooks) {
        var should: [(ImportRow) throws -> Bool] = []
        var will: [(ManagedObject, ImportRow) throws -> Void] = []
        var did: [(ManagedObject, ImportRow) throws -> Void] = []
        if let own = type as? any Importable.Type {
            discriminator = own.importDiscriminator
            identity = { try own.importIdentity(of: $0) }
            should.append { try own.shouldImport($0) }
            will.append { try ($0 as? any Importable)?.willImport($1) }
            did.append { try ($0 as? any Importable)?.didImport($1) }
        } else {
            discriminator = nil
            identity = nil
        }
        self.should = should + hooks.wanting(type)
        self.will = will + hooks.before(type)
        self.did = did + hooks.after(type)
    }

    /// Whether any hook receives rows.
    var seeRows: Bool { identity != nil || !should.isEmpty || !will.isEmpty || !did.isEmpty }

    func want(_ row: ImportRow) throws -> Bool { try should.allSatisfy { try $0(row) } }

    func callBefore(_ object: ManagedObject, _ row: ImportRow) throws {
        for body in will { try body(object, row) }
    }

    func callAfter(_ object: ManagedObject, _ row: ImportRow) throws {
        for body in did { try body(object, row) }
    }
}
