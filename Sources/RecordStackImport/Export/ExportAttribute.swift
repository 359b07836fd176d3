import FoundationEssentials
import RecordStackModel

/// How the values of an attribute are written: the way back from `ValueConversion`.
struct ExportAttribute {
    let description: AttributeDescription
    private let conversion: ValueConversion
    private let transform: (@Sendable (ImportValue) throws -> ImportValue)?
    private let entity: EntityDescription

    /// - Throws: ``RecordStackError/Code/misuse`` for a date pattern that cannot be read.
    init(
        _ description: AttributeDescription, _ declared: ImportDeclaration,
        entity: EntityDescription
    ) throws {
        self.description = description
        self.entity = entity
        conversion = try ValueConversion(of: description, declared.dateFormats, entity: entity)
        transform = declared.exportTransform
    }

    /// Whether it may be an object or an array that is written.
    var writesContainers: Bool {
        if case .json = conversion { return true }
        return transform != nil
    }

    /// - Throws: ``RecordStackError/Code/misuse`` for a value that JSON cannot have; what the transform throws.
    func write(_ value: StoredValue, to writer: inout JSONWriter) throws {
        if let transform, !value.isNull {
            let value = try transform(try importValue(value))
            if let found = value.unwritable { throw impossible(found) }
            return writer.write(value)
        }
        switch (conversion, value) {
        case (_, .null): writer.writeNull()
        case (.bool, .integer(let flag)), (.stored(as: .bool), .integer(let flag)):
            writer.write(raw: flag == 0 ? "false" : "true")
        case (.integer, .integer(let number)): writer.write(raw: "\(number)")
        case (.double, .real(let number)) where number.isFinite: writer.write(number)
        case (.string, .text(let text)): writer.write(text)
        // It was written by an encoder of JSON.
        case (.json, .text(let text)): writer.write(raw: text)
        default: writer.write(try importValue(value))
        }
    }

    /// The value as an import would read it.
    private func importValue(_ value: StoredValue) throws -> ImportValue {
        switch (conversion, value) {
        case (_, .null): return .null
        case (.bool, .integer(let flag)), (.stored(as: .bool), .integer(let flag)):
            return .bool(flag != 0)
        case (.unsigned, _): return .number("\(UInt64(storedValue: value) ?? 0)")
        case (.decimal, .text(let text)): return .number(text)
        case (.uuid, _): return .string(UUID(storedValue: value)?.uuidString ?? "")
        case (.data, .blob(let bytes)): return .data(Data(bytes))
        case (.date(let forms), _), (.stored(as: .date(let forms)), _):
            return try date(value, forms)
        case (.json, .text(let text)):
            var text = text
            return try text.withUTF8 { try ImportValue(json: UnsafeRawBufferPointer($0)) }
        case (_, .real(let number)): return try self.number(number)
        case (_, .integer(let number)): return .number("\(number)")
        case (_, .text(let text)): return .string(text)
        case (_, .blob(let bytes)): return .data(Data(bytes))
        }
    }

    private func number(_ number: Double) throws -> ImportValue {
        guard number.isFinite else { throw impossible("\(number)") }
        if description.type == .float { return .number("\(Float(number))") }
        return .number(number.json)
    }

    private func date(
        _ value: StoredValue, _ forms: [ValueConversion.DateConversion]
    ) throws -> ImportValue {
        guard let date = Date(storedValue: value) else { throw impossible(value.description) }
        for form in forms {
            switch form {
            case .iso8601: if let text = DateWriter.iso8601(date) { return .string(text) }
            case .pattern(let pattern):
                if let text = pattern.text(of: date) { return .string(text) }
            case .seconds: return try self.number(date.timeIntervalSince1970)
            case .milliseconds: return try self.number(date.milliseconds)
            }
        }
        throw impossible("the date \(date.timeIntervalSinceReferenceDate) s from 2001")
    }

    private func impossible(_ found: String) -> RecordStackError {
        RecordStackError(
            .misuse,
            "\(entity.name).\(description.name) is \(found), which cannot be written in JSON as it is declared. "
                + "Leave it out with options.except, or give it an .exportTransform.",
            entity: entity.name, property: description.name)
    }
}

extension ImportValue {
    /// What of a value JSON cannot have: a number that is none, a date of no year that it knows. Nil for nothing.
    fileprivate var unwritable: String? {
        switch self {
        case .number(let text): JSONNumber.reading(text) { _ in true } == nil ? text : nil
        case .date(let date): DateWriter.iso8601(date) == nil ? "\(date)" : nil
        case .array(let values): values.lazy.compactMap(\.unwritable).first
        case .object(let members): members.values.lazy.compactMap(\.unwritable).first
        case .null, .bool, .string, .data: nil
        }
    }
}

extension Date {
    /// Milliseconds since 1970: a whole number where that is the same date.
    fileprivate var milliseconds: Double {
        let exact = timeIntervalSince1970 * 1_000
        let whole = exact.rounded()
        return Date(timeIntervalSince1970: whole / 1_000) == self ? whole : exact
    }
}
