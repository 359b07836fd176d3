import RecordStackModel

/// A value of any JSON shape, whose decoding recurses as deep as its text.
indirect enum Shape: CodableAttributeValue {
    case number(Double)
    case text(String)
    case list([Shape])
    case object([String: Shape])

    static let placeholder = Shape.list([])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([Shape].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: Shape].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        case .object(let object): try container.encode(object)
        }
    }
}
