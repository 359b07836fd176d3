import FoundationEssentials

extension AttributeDescription {
    /// Why a JSON text encodes none of a Codable type's values; nil where it encodes one, and for other types.
    package func decodingError(of json: String) -> DecodingError? {
        guard let type = valueType as? any Decodable.Type, !json.isNestedDeeply else { return nil }
        do {
            _ = try JSONDecoder().decode(type, from: Data(json.utf8))
            return nil
        } catch {
            return error as? DecodingError
        }
    }
}

extension String {
    /// Whether so many brackets are open at once, or may be, that Foundation's decoder would stop the process.
    fileprivate var isNestedDeeply: Bool {
        var (depth, most) = (0, 0)
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                most = max(most, depth)
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
        }
        return most > 500
    }
}
