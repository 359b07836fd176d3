import Foundation

/// Seeds, documents and mutations for random tests.
enum JSONFuzz {
    /// A generator whose whole state is a seed (SplitMix64).
    struct Random: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    /// Returns the seed of the environment, or a new one.
    static func seed() -> UInt64 {
        let given = ProcessInfo.processInfo.environment["RECORDSTACK_SEED"]
        return given.flatMap { UInt64($0) } ?? UInt64.random(in: 0 ... .max)
    }

    /// Real data files, which are not part of this package.
    private static let data = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("shared/data")

    /// Returns small documents, and records of the data files if these exist.
    static func documents() -> [[UInt8]] {
        let small = JSONCases.valid.filter { $0.count > 3 }
        let nested: [String] = [
            "{\"id\":1,\"name\":\"Ada\",\"tags\":[\"a\",\"b\"],\"born\":{\"year\":1815}}",
            "[{\"x\":1.5,\"y\":-2e10},{\"x\":0,\"y\":\"\\u00e9\\ud83d\\ude00\"},[],{},[[[]]]]",
            "{\"a\":true,\"b\":false,\"c\":null,\"d\":\"\\\\ \\\" \\/ \\b\\f\\n\\r\\t\"}",
        ]
        let files = ["earthquakes", "movies"].flatMap { name in
            records(data.appendingPathComponent("\(name).json").path)
        }
        return small + nested.map { Array($0.utf8) } + files
    }

    /// Returns every tenth line of a file that is a complete object.
    private static func records(_ path: String) -> [[UInt8]] {
        guard let data = FileManager.default.contents(atPath: path) else { return [] }
        let lines = data.split(separator: 0x0A).map { line in
            line.drop { $0 == 0x20 }.reversed().drop { $0 == 0x2C || $0 == 0x0D }.reversed()
        }
        return lines.filter { $0.first == 0x7B && $0.last == 0x7D && $0.count < 4096 }
            .enumerated().filter { $0.offset % 10 == 0 }.map { Array($0.element) }
    }

    /// Returns a document with one to four changes.
    static func mutated(_ document: [UInt8], _ random: inout Random) -> [UInt8] {
        var bytes = document
        for _ in 0..<Int.random(in: 1...4, using: &random) { mutate(&bytes, &random) }
        return bytes
    }

    private static func mutate(_ bytes: inout [UInt8], _ random: inout Random) {
        guard !bytes.isEmpty else { return }
        let place = Int.random(in: bytes.indices, using: &random)
        let end = min(bytes.count, place + Int.random(in: 1...8, using: &random))
        switch Int.random(in: 0..<8, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0 ... .max, using: &random)
        case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: bytes.removeSubrange(place..<end)
        case 3: bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
        case 4: bytes.swapAt(place, Int.random(in: bytes.indices, using: &random))
        case 5 where Int.random(in: 0..<8, using: &random) == 0: bytes.removeSubrange(place...)
        case 6:
            // Replacing a digit by a digit and a letter by a letter keeps most texts valid.
            bytes[place] =
                UInt8(ascii: "0") <= bytes[place] && bytes[place] <= UInt8(ascii: "9")
                ? UInt8.random(in: 0x30...0x39, using: &random) : bytes[place]
        default:
            let piece = pieces.randomElement(using: &random) ?? ""
            bytes.insert(contentsOf: Array(piece.utf8), at: place)
        }
    }

    private static let pieces = [
        "\"", "\\", "{", "}", "[", "]", ",", ":", "0", "-", ".", "e", "E+", "1e5", "null", "true",
        " ", "\n", "\t", "\u{0}", "\u{1F}", "\\u0000", "\\ud800", "\\udc00", "\\ud83d\\ude00",
        "é", "日", "😀", "\u{FEFF}", "[]", "{}", "\"a\":1,", ",1", "01", "1.", "\\n", "\\u12",
        "99999999999999999999", "1e400", "  ", "\\/", "//", "\"\"", "\u{7F}", "\u{A0}",
    ]

    /// Returns a decimal of any length, sometimes exactly between two Doubles.
    static func decimal(_ random: inout Random) -> String {
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            let double = Double(bitPattern: UInt64.random(in: 0 ... .max, using: &random))
            return double.isFinite ? "\(double)" : "0"
        case 1:
            // An odd number of 54 bits lies between two Doubles; a slightly larger number does not.
            let odd = UInt64.random(in: 1 << 53...(1 << 54) - 1, using: &random) | 1
            return "\(odd)" + ["", ".0", "e0", ".00000001", "000e-3"].randomElement(using: &random)!
        case 2:
            // Halves, quarters and eighths of large integers have few digits.
            let digits = UInt64.random(in: 0..<1 << 60, using: &random)
            return
                "\(digits >> 3).\(["125", "25", "375", "5", "625"].randomElement(using: &random)!)"
        default:
            let (text, _) = shifted(&random)
            return text
        }
    }

    /// Returns digits with a point and an exponent, and the same number as an integer if it is one.
    static func shifted(_ random: inout Random) -> (text: String, plain: String?) {
        let count = Int.random(in: 1...24, using: &random)
        var digits = (0..<count).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
        if Bool.random(using: &random) { digits += String(repeating: "0", count: count / 2) }
        let point = Int.random(in: 0...digits.count, using: &random)
        let exponent = Int.random(in: -25...25, using: &random)
        var whole = String(digits.prefix(point).drop { $0 == "0" })
        if whole.isEmpty { whole = "0" }
        let fraction = digits.dropFirst(point)
        let sign = Bool.random(using: &random) ? "-" : ""
        let text = sign + whole + (fraction.isEmpty ? "" : ".\(fraction)") + "e\(exponent)"
        return (text, shift(whole + fraction, by: exponent - fraction.count).map { sign + $0 })
    }

    /// Returns the digits with zeros appended or removed, or nil if that would remove other digits.
    private static func shift(_ digits: String, by exponent: Int) -> String? {
        guard digits.contains(where: { $0 != "0" }) else { return "0" }
        guard exponent < 0 else { return digits + String(repeating: "0", count: exponent) }
        guard digits.suffix(-exponent).allSatisfy({ $0 == "0" }), digits.count > -exponent else {
            return nil
        }
        return String(digits.dropLast(-exponent))
    }
}
