import RecordStack
import RecordStackModel

/// The expected state of an object.
struct SketchObject: Equatable, CustomStringConvertible {
    /// The values of `need`, `a` and `b`.
    var values: [StoredValue]
    var parent: SketchKey?
    var list: [SketchKey] = []
    /// True if rows have mentioned only the key of the object.
    var isUnfinished = false

    static func == (a: SketchObject, b: SketchObject) -> Bool {
        a.values == b.values && a.parent == b.parent && a.list == b.list
    }

    var description: String { "\(values) → \(parent.map { "\($0)" } ?? "nil"), \(list)" }
}

/// A plain implementation of the import rules for the objects of a random schema.
struct SketchModel {
    let schema: SketchSchema
    private(set) var objects: [SketchKey: SketchObject] = [:]
    /// The number of skipped rows.
    private(set) var skipped = 0

    init(_ schema: SketchSchema) { self.schema = schema }

    private var fresh: SketchObject {
        SketchObject(values: schema.fields.map { $0.preset ?? .null }, isUnfinished: true)
    }

    /// True if an object can be created from its key alone.
    private var makesObjects: Bool { schema.need.preset != nil }

    mutating func apply(_ rows: [SketchRow]) {
        skipped = 0
        var later: [(owner: SketchKey, row: SketchRow, before: [SketchKey])] = []
        for row in rows {
            if applyValues(row) { refer(row, &later) } else { skipped += 1 }
        }
        // References are resolved after all rows are read.
        for (owner, row, before) in later { relate(owner, row, before) }
        for key in objects.keys { objects[key]?.isUnfinished = false }
    }

    /// Creates the objects to which a row refers.
    private mutating func refer(
        _ row: SketchRow, _ later: inout [(owner: SketchKey, row: SketchRow, before: [SketchKey])]
    ) {
        later.append((row.key, row, objects[row.key]!.list))
        var references = row.list ?? []
        if case .some(let reference?) = row.parent { references.insert(reference, at: 0) }
        for reference in references {
            switch reference {
            case .key(let key, _):
                if objects[key] == nil && makesObjects { objects[key] = fresh }
            case .row(let nested): _ = applyValues(nested)
            }
        }
    }

    private mutating func relate(_ owner: SketchKey, _ row: SketchRow, _ before: [SketchKey]) {
        switch row.parent {
        case nil: break
        case .some(nil): objects[owner]?.parent = nil
        case .some(let reference?):
            if objects[reference.key] != nil { objects[owner]?.parent = reference.key }
        }
        guard let list = row.list else { return }
        var members = schema.replaces ? [] : before
        for reference in list
        where objects[reference.key] != nil && !members.contains(reference.key) {
            members.append(reference.key)
        }
        objects[owner]?.list = members
    }

    /// - Returns: true if the row was not skipped.
    private mutating func applyValues(_ row: SketchRow) -> Bool {
        let found = objects[row.key]
        let isNew = found?.isUnfinished ?? true
        var object = found ?? fresh
        for (place, (field, words)) in zip(schema.fields, row.words).enumerated() {
            let now = object.values[place]
            let preset = field.preset ?? .null
            switch Self.word(words, field.fallback ?? .whenNull) {
            case .value(_, let stored):
                let takes =
                    switch field.value ?? .set {
                    case .set: true
                    case .whenNew: isNew
                    case .whenNil: isNew || now.isNull
                    }
                if takes { object.values[place] = stored }
            case .unfit:
                if field.name == "need" { return false }
            case .null where field.null ?? .clear != .ignore:
                if field.name == "need" {
                    if preset.isNull { return false }
                    object.values[place] = preset
                } else {
                    object.values[place] = field.null == .setDefault ? preset : .null
                }
            case .null, .absent:
                if isNew { continue }
                switch field.absent ?? .leave {
                case .leave: break
                case .clear: object.values[place] = .null
                case .setDefault: object.values[place] = preset
                }
            }
        }
        // No row has given the required value.
        if object.values[0].isNull { return false }
        object.isUnfinished = false
        objects[row.key] = object
        return true
    }

    /// Returns the entry that counts under an attribute's keys.
    private static func word(_ words: [SketchWord], _ rule: ImportFallbackPolicy) -> SketchWord {
        var null: SketchWord?
        for word in words {
            switch word {
            case .absent: continue
            case .null:
                if rule == .whenAbsent { return word }
                null = null ?? word
            case .value, .unfit: return word
            }
        }
        return null ?? .absent
    }
}
