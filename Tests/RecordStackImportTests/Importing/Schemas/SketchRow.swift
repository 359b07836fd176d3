import Foundation
import RecordStack
import RecordStackModel
import TestSupport

/// A row's entry under one key.
enum SketchWord {
    case absent, null
    case value(ImportValue, StoredValue)
    case unfit(ImportValue)

    var json: ImportValue? {
        switch self {
        case .absent: nil
        case .null: .null
        case .value(let json, _), .unfit(let json): json
        }
    }
}

/// The identity of an object of a random schema.
struct SketchKey: Hashable, Comparable, CustomStringConvertible {
    var id: Int
    var part: String

    var description: String { "\(id)\(part)" }

    static func < (a: SketchKey, b: SketchKey) -> Bool { (a.id, a.part) < (b.id, b.part) }
}

/// A row's reference to an object.
indirect enum SketchReference {
    /// The key alone, bare or in an object.
    case key(SketchKey, isBare: Bool)
    /// A complete object.
    case row(SketchRow)

    var key: SketchKey {
        switch self {
        case .key(let key, _): key
        case .row(let row): row.key
        }
    }
}

/// A row of a payload for a random schema.
struct SketchRow {
    let key: SketchKey
    /// True if the row omits the part of the identity that has the default value.
    let hidesPart: Bool
    /// The entries of each attribute, in the order of its keys.
    let words: [[SketchWord]]
    /// The reference to the parent, or nil if the row does not mention it.
    var parent: SketchReference??
    var list: [SketchReference]?

    init(_ key: SketchKey, _ schema: SketchSchema, isWhole: Bool, _ seeds: inout Seeded) {
        self.key = key
        hidesPart = !schema.isComposite || key.part == schema.partDefault && seeds.chance(50)
        words = schema.fields.map { field in
            field.paths.map { _ in
                let isNeeded = isWhole && field.name == "need"
                if !isNeeded && seeds.chance(field.name == "need" ? 10 : 35) { return .absent }
                if !isNeeded && seeds.chance(15) { return .null }
                if !isNeeded && seeds.chance(5) { return .unfit(field.kind.unfit) }
                let (json, stored) = field.kind.value(field.formats, &seeds)
                return .value(json, stored)
            }
        }
    }

    /// Returns the row as a source contains it.
    func value(_ schema: SketchSchema) -> ImportValue {
        var tree = SketchTree.object([])
        tree.insert(.number(key.id), at: schema.idKey.split(separator: ".").map(String.init)[...])
        if !hidesPart { tree.insert(.string(key.part), at: ["part"]) }
        for (field, words) in zip(schema.fields, words) {
            for (path, word) in zip(field.paths, words) {
                if let json = word.json { tree.insert(json, at: path[...]) }
            }
        }
        switch parent {
        case nil: break
        case .some(nil): tree.insert(.null, at: ["parent"])
        case .some(let reference?): tree.insert(reference.value(schema), at: ["parent"])
        }
        if let list { tree.insert(.array(list.map { $0.value(schema) }), at: ["list"]) }
        return tree.value
    }
}

extension SketchReference {
    fileprivate func value(_ schema: SketchSchema) -> ImportValue {
        switch self {
        case .row(let row): return row.value(schema)
        case .key(let key, isBare: true): return .number(key.id)
        case .key(let key, isBare: false):
            var tree = SketchTree.object([])
            let path = schema.idKey.split(separator: ".").map(String.init)
            tree.insert(.number(key.id), at: path[...])
            if schema.isComposite && key.part != schema.partDefault {
                tree.insert(.string(key.part), at: ["part"])
            }
            return tree.value
        }
    }
}

/// A JSON value that is built path by path.
private indirect enum SketchTree {
    case leaf(ImportValue)
    case object([(String, SketchTree)])
    case array([SketchTree])

    mutating func insert(_ value: ImportValue, at path: ArraySlice<String>) {
        guard let step = path.first else { return self = .leaf(value) }
        let rest = path.dropFirst()
        if let index = Int(step) {
            var elements: [SketchTree] = []
            if case .array(let known) = self { elements = known }
            while elements.count <= index { elements.append(.leaf(.null)) }
            elements[index].insert(value, at: rest)
            return self = .array(elements)
        }
        var members: [(String, SketchTree)] = []
        if case .object(let known) = self { members = known }
        let place = members.firstIndex { $0.0.utf8.elementsEqual(step.utf8) }
        var next = place.map { members[$0].1 } ?? .object([])
        if rest.first.map({ Int($0) != nil }) == true, case .object = next { next = .array([]) }
        next.insert(value, at: rest)
        if let place { members[place].1 = next } else { members.append((step, next)) }
        self = .object(members)
    }

    var value: ImportValue {
        switch self {
        case .leaf(let value): value
        case .object(let members): .object(ImportObject(members.map { ($0.0, $0.1.value) }))
        case .array(let elements): .array(elements.map(\.value))
        }
    }
}

// MARK: Sources

extension ImportValue {
    /// Returns the value as text, with its keys in random order.
    func text(_ seeds: inout Seeded) -> String {
        switch self {
        case .null: return "null"
        case .bool(let flag): return "\(flag)"
        case .number(let text): return text
        case .string(let text):
            return String(decoding: try! JSONEncoder().encode(text), as: UTF8.self)
        case .array(let values):
            return "[\(values.map { $0.text(&seeds) }.joined(separator: ","))]"
        case .object(let members):
            let parts = members.shuffled(using: &seeds).map {
                "\(ImportValue.string($0.key).text(&seeds)): \($0.value.text(&seeds))"
            }
            return "{\(parts.joined(separator: ", "))}"
        case .date, .data: return "null"
        }
    }

    /// The value in types of the standard library.
    var native: Any {
        switch self {
        case .null: return Int?.none as Any
        case .bool(let flag): return flag
        case .number(let text):
            return Int(text) ?? UInt64(text) ?? Double(text) as Any
        case .string(let text): return text
        case .array(let values): return values.map(\.native)
        case .object(let members):
            var dictionary: [String: Any] = [:]
            for (key, value) in members { dictionary[key] = value.native }
            return dictionary
        case .date(let date): return date
        case .data(let data): return data
        }
    }
}

/// A value that encodes itself key by key.
struct EncodedValue: Encodable {
    let value: ImportValue

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ key: String) { stringValue = key }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        switch value {
        case .object(let members):
            var container = encoder.container(keyedBy: Key.self)
            for (key, value) in members {
                try container.encode(EncodedValue(value: value), forKey: Key(key))
            }
        case .array(let values):
            var container = encoder.unkeyedContainer()
            for value in values { try container.encode(EncodedValue(value: value)) }
        default:
            var container = encoder.singleValueContainer()
            switch value {
            case .bool(let flag): try container.encode(flag)
            case .string(let text): try container.encode(text)
            case .number(let text):
                if let number = Int(text) {
                    try container.encode(number)
                } else if let number = UInt64(text) {
                    try container.encode(number)
                } else {
                    try container.encode(Double(text)!)
                }
            default: try container.encodeNil()
            }
        }
    }
}
