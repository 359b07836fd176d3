import FoundationEssentials
import RecordStackModel

/// The way in which an export writes an attribute's values: the reverse of `ValueConversion`.
struct ExportAttribute {
    let description: AttributeDescription
    private let conversion: ValueConversion
    private let transform: (@Sendable (ImportValue) throws -> ImportValue)?
    private let entity: EntityDescription
    /// Whether an import reads a value back if nothing else is written under its keys.
    let comesBackPlainly: Bool

    /// Creates the writer of an attribute.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for a date pattern that is not valid.
    init(
        _ description: AttributeDescription, _ declared: ImportDeclaration,
        entity: EntityDescription
    ) throws {
        self.description = description
        self.entity = entity
        conversion = try ValueConversion(of: description, declared.dateFormats, entity: entity)
        transform = declared.exportTransform
        // An import may turn nil into the default, and a transform may change a value.
        let keepsNil =
            !description.isOptional || (declared.null ?? .clear) == .clear
            || description.defaultValue?.isNull ?? true
        comesBackPlainly = keepsNil && declared.transforms.isEmpty
    }

    /// Whether the values are dates.
    var isDate: Bool { conversion.isDate }

    /// Whether the written value may be an object or an array.
    var writesContainers: Bool {
        if case .json = conversion { return true }
        return transform != nil
    }

    /// Writes a value.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for a value that JSON cannot have, and the errors
    ///   of the transform.
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
        // An import would read it as nil.
        case (.json, .text("null")): throw impossible("a value that encodes as null")
        // An object that was never saved may have a value that no save would accept.
        case (.json, .text("")): throw impossible("a value that cannot be encoded")
        case (.json, .text(let text)) where JSONDepth.exceeds(JSONDepth.most, in: text):
            throw impossible(
                "a value with more than \(JSONDepth.most) arrays and objects inside of one another")
        // A JSON encoder wrote this text.
        case (.json, .text(let text)): writer.write(raw: text)
        default: writer.write(try importValue(value))
        }
    }

    /// Returns the value as an import would read it.
    private func importValue(_ value: StoredValue) throws -> ImportValue {
        switch (conversion, value) {
        case (_, .null): return .null
        case (.bool, .integer(let flag)), (.stored(as: .bool), .integer(let flag)):
            return .bool(flag != 0)
        case (.unsigned, _): return .number("\(UInt64(storedValue: value) ?? 0)")
        case (.decimal, .text(let text)): return .number(text)
        case (.uuid, _): return .string(UUID(storedValue: value)?.uuidString ?? "")
        case (.data, .blob(let bytes)): return .data(Data(bytes))
        case (.date(let formats), _), (.stored(as: .date(let formats)), _):
            return try date(value, formats)
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

    /// Returns a date in the first of the formats that keeps it.
    private func date(_ value: StoredValue, _ formats: DateFormats) throws -> ImportValue {
        guard let date = Date(storedValue: value) else { throw impossible(value.description) }
        for format in formats.formats {
            if let written = formats.written(date, in: format) { return written }
        }
        let text = DateWriter.iso8601(date) ?? "the date \(date.timeIntervalSince1970) s from 1970"
        throw impossible(text, "Declare a .dateFormat that keeps it, ")
    }

    private func impossible(_ found: String, _ advice: String = "") -> RecordStackError {
        RecordStackError(
            .misuse,
            "\(entity.name).\(description.name) is \(found), which cannot be written in JSON as it is declared. "
                + (advice.isEmpty ? "Leave" : advice + "leave")
                + " it out with options.except, or give it an .exportTransform.",
            entity: entity.name, property: description.name)
    }
}

extension ImportValue {
    /// The part of a value that JSON cannot have, such as infinity or a date in year 10000.
    ///
    /// Nil if JSON can have the whole value.
    fileprivate var unwritable: String? {
        switch self {
        case .number(let text): JSONNumber.reading(text) { _ in true } == nil ? text : nil
        case .date(let date): DateWriter.iso8601(date) == nil ? "\(date)" : nil
        case .array(let values): values.lazy.compactMap(\.unwritable).first
        case .object(let members): members.lazy.compactMap(\.value.unwritable).first
        case .null, .bool, .string, .data: nil
        }
    }
}
