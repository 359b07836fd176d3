import FoundationEssentials
import RecordStackModel

extension ImportMapping.Attribute {
    /// Returns the cell of a token's value; nil if the value does not convert.
    ///
    /// - Parameter source: the source, in which text stays in memory.
    func cell(
        _ token: JSONToken, _ scanner: inout JSONScanner, _ rows: StagedRows,
        _ source: UnsafeRawBufferPointer
    ) -> Cell? {
        if transforms.isEmpty {
            if let cell = PlainValue(conversion).cell(token, &scanner, source) { return cell }
            return storedValue(token, &scanner).map { rows.cell($0) }
        }
        return transformed(ImportValue(token, &scanner)).map { rows.cell($0) }
    }

    /// Returns the value of a token; nil if it does not convert.
    private func storedValue(_ token: JSONToken, _ scanner: inout JSONScanner) -> StoredValue? {
        switch token {
        case .true: fitting(conversion.convert(true))
        case .false: fitting(conversion.convert(false))
        case .number: fitting(conversion.convert(scanner.number))
        case .string where conversion.isText: json(.string(scanner.string))
        case .string: fitting(conversion.convert(scanner.text))
        default: nil
        }
    }

    /// Returns a converted value as the attribute's type stores it.
    private func fitting(_ value: StoredValue?) -> StoredValue? {
        guard conversion.isByStorage else { return value }
        return value.flatMap { description.normalized($0) }
    }

    /// Returns the converted result of the transforms.
    ///
    /// Nil if the result does not convert, or if a transform throws or returns null.
    private func transformed(_ value: ImportValue) -> StoredValue? {
        (try? apply(transforms, to: value)).flatMap { convert($0) }
    }

    func apply(
        _ transforms: [(ImportValue) throws -> ImportValue], to value: ImportValue
    ) throws -> ImportValue {
        try transforms.reduce(value) { $0.isNull ? $0 : try $1($0) }
    }

    /// Returns the attribute's value for a value of the source; nil if it does not convert.
    func convert(_ value: ImportValue) -> StoredValue? {
        if conversion.isText { return json(value) }
        switch value {
        case .null: return nil
        case .bool(let flag): return fitting(conversion.convert(flag))
        case .number(let text):
            return JSONNumber.reading(text) { fitting(conversion.convert($0)) }
        case .string(let text): return convert(text)
        case .date(let date):
            if conversion.isDate {
                return DateParser.isInCalendar(date) ? fitting(date.storedValue) : nil
            }
            return DateWriter.iso8601(date).flatMap { convert($0) }
        case .data(let data):
            if case .data = conversion { return data.storedValue }
            return convert(data.base64EncodedString())
        case .array, .object: return nil
        }
    }

    private func convert(_ text: String) -> StoredValue? {
        var text = text
        return text.withUTF8 { fitting(conversion.convert(UnsafeRawBufferPointer($0))) }
    }

    /// Returns a Codable value as JSON.
    ///
    /// If the type does not take text, a text must contain the JSON of a value.
    private func json(_ value: ImportValue) -> StoredValue? {
        if value.isDeeper(than: JSONDepth.most) { return nil }
        if let stored = description.normalized(.text(value.encodedJSON)) { return stored }
        guard case .string(let text) = value else { return nil }
        return description.normalized(.text(text))
    }
}

extension ImportValue {
    /// The value as JSON, with dates and numbers in the form of stored Codable values.
    var encodedJSON: String { encoded.json }

    /// The value with dates as seconds since 2001, as `JSONEncoder` writes them.
    ///
    /// NaN and the infinities, which JSON does not have, become strings.
    private var encoded: ImportValue {
        switch self {
        case .date(let date): .number(date.timeIntervalSinceReferenceDate)
        case .number("nan"): .string("NaN")
        case .number("inf"): .string("Infinity")
        case .number("-inf"): .string("-Infinity")
        case .array(let values): .array(values.map(\.encoded))
        case .object(let members): .object(members.mapValues(\.encoded))
        default: self
        }
    }
}
