import FoundationEssentials

extension AttributeDescription {
    /// Why a JSON text encodes none of a Codable type's values; nil where it encodes one, where it is too deep to be decoded,
    /// and for other types.
    package func decodingError(of json: String) -> DecodingError? {
        guard let type = valueType as? any Decodable.Type,
            !JSONDepth.exceeds(JSONDepth.most, in: json)
        else { return nil }
        do {
            _ = try JSONDecoder().decode(type, from: Data(json.utf8))
            return nil
        } catch {
            return error as? DecodingError
        }
    }
}
