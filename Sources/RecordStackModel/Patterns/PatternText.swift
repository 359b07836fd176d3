/// The characters of a text, in the form in which an automaton reads them.
protocol PatternText {
    var count: Int { get }
    func isIn(_ step: PatternProgram.CharacterStep, of program: PatternProgram, at index: Int)
        -> Bool
    func isPartOfWord(at index: Int) -> Bool
    func isNewline(at index: Int) -> Bool
}

/// A text in which each byte is a character.
struct ASCIIText: PatternText {
    let bytes: UnsafeBufferPointer<UInt8>

    var count: Int { bytes.count }

    @inline(__always)
    func isIn(
        _ step: PatternProgram.CharacterStep, of program: PatternProgram, at index: Int
    ) -> Bool {
        let byte = UInt64(bytes[index])
        return (byte < 64 ? step.low : step.high) >> (byte & 63) & 1 == 1
    }

    func isPartOfWord(at index: Int) -> Bool {
        switch bytes[index] {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    func isNewline(at index: Int) -> Bool { (0x0A...0x0D).contains(bytes[index]) }
}

struct UnicodeText: PatternText {
    let characters: [Character]

    var count: Int { characters.count }

    func isIn(
        _ step: PatternProgram.CharacterStep, of program: PatternProgram, at index: Int
    ) -> Bool {
        program.characters[Int(step.character)].contains(characters[index])
    }

    func isPartOfWord(at index: Int) -> Bool { characters[index].isPartOfWord }

    func isNewline(at index: Int) -> Bool { characters[index].isNewline }
}
