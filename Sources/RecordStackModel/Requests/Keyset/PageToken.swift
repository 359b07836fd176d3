/// A position between two objects in the results of a request, at which a page begins or ends.
///
/// ```swift
/// let page = try Person.page(after: nil, size: 25, sortedBy: .ascending(\.name), in: context)
/// let link = page.next.map { "/people?after=\($0)" }
/// // … in the next request:
/// let token = PageToken(parameter)
/// let next = try Person.page(after: token, size: 25, sortedBy: .ascending(\.name), in: context)
/// ```
///
/// A token is a string of letters, digits, `-` and `_`, which need no escaping in a URL. It
/// contains the sort values and the key of the object next to the position, so it stays valid if
/// that object is deleted. It is not encrypted, and does not prove who created it.
///
/// A token is valid only for one request on one store. If you pass it to a request with another
/// filter or other sort keys, the request throws ``RecordStackError/Code/misuse``. The request
/// throws the same error if the entity's properties have changed since the token was created.
public struct PageToken: Sendable, Hashable, LosslessStringConvertible {
    /// The token's text.
    public let description: String

    /// Creates a token from the text that ``description`` returned.
    ///
    /// The text is not checked until the token is used. If the text is not a token, the request
    /// that uses it throws an error.
    ///
    /// - Returns: nil only if the text is empty.
    public init?(_ description: String) {
        if description.isEmpty { return nil }
        self.description = description
    }

    init(bytes: [UInt8]) {
        description = Base64URL.text(of: bytes)
    }

    var bytes: [UInt8]? { Base64URL.bytes(of: description) }
}

extension PageToken: Codable {
    /// Decodes a token from its text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let token = PageToken(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "An empty text is no page token.")
        }
        self = token
    }

    /// Encodes the token as its text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// Encodes bytes in the alphabet of RFC 4648, section 5, without padding.
enum Base64URL {
    private static let letters = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    static func value(of letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): letter - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): letter - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0") + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }

    static func text(of bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        var (held, bits) = (0 as UInt32, 0)
        for byte in bytes {
            (held, bits) = (held << 8 | UInt32(byte), bits + 8)
            while bits >= 6 {
                bits -= 6
                text.append(letters[Int(held >> UInt32(bits) & 63)])
            }
        }
        if bits > 0 { text.append(letters[Int(held << UInt32(6 - bits) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes a text.
    ///
    /// - Returns: nil for a text that is not the encoding of any bytes.
    static func bytes(of text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (held, bits) = (0 as UInt32, 0)
        for letter in text.utf8 {
            guard let value = value(of: letter) else { return nil }
            (held, bits) = (held << 6 | UInt32(value), bits + 6)
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: held >> UInt32(bits)))
            }
        }
        let rest = held & (1 << UInt32(bits) - 1)
        return bits < 6 && rest == 0 ? bytes : nil
    }
}
