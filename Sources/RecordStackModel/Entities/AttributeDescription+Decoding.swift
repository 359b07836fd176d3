import FoundationEssentials

extension AttributeDescription {
    /// Returns the error of decoding a JSON text as a value of a Codable type.
    ///
    /// Nil if the text decodes, if it is nested too deeply to be decoded, and for
    /// attributes of other types.
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
