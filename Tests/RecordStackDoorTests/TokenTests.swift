import FoundationEssentials
import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Page tokens and IDs, which are texts that anybody can send.
@Suite("Tokens and IDs") struct TokenTests {
    private static let megabytes = String(repeating: "a", count: 2 << 20)

    @Test func `the error for a page token of two megabytes is short`() throws {
        let test = try TestStack(for: Box.self, Chest.self)
        let context = test.stack.newContext()
        let token = PageToken(Self.megabytes)
        let error = #expect(throws: RecordStackError.self) {
            try Box.page(after: token, size: 2, sortedBy: .ascending(\.name), in: context)
        }
        #expect(error?.code == .misuse && (error?.description.utf8.count ?? .max) < 1_000)
    }

    @Test func `the error for an object ID of two megabytes is short`() throws {
        let id = "recordstack://\(UUID())/\(Self.megabytes)/1"
        #expect(ManagedObjectID(id) == nil)
        for text in [id, Self.megabytes, "recordstack://" + Self.megabytes] {
            let json = Data("[\"\(text)\"]".utf8)
            do {
                _ = try JSONDecoder().decode([ManagedObjectID].self, from: json)
                Issue.record("It was taken for an ID.")
            } catch let error as DecodingError {
                #expect("\(error)".utf8.count < 2_000)
            }
            let error = #expect(throws: RecordStackError.self) {
                try Filter(format: "SELF == %@", text, for: Box.self)
            }
            #expect((error?.description.utf8.count ?? .max) < 2_000)
        }
    }

    @Test func `a garbage page token works or throws misuse with a short message`() throws {
        let test = try TestStack(for: Box.self, Chest.self)
        try test.stack.saveWithBlockAndWait { context in
            for number in 0..<9 { try Box.create(in: context, name: "\(number)") }
        }
        let context = test.stack.newContext()
        let page = try Box.page(after: nil, size: 3, sortedBy: .ascending(\.name), in: context)
        let good = Array(try #require(page.next).description.utf8)
        var random = Seeded.fromEnvironment()
        print("seed \(random.seed)")
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var refused = 0
        for _ in 0..<Seeded.rounds(5_000, full: 1_000_000) {
            var bytes = good
            for _ in 0...random.below(4) {
                let place = random.below(bytes.count)
                switch random.below(5) {
                case 0: bytes.remove(at: place)
                case 1: bytes.insert(letters[random.below(64)], at: place)
                case 2: bytes = Array(bytes[..<place])
                case 3: bytes[place] = letters[random.below(64)]
                default: bytes[place] = .random(in: 0...255, using: &random)
                }
                if bytes.isEmpty { bytes = [65] }
            }
            guard let token = PageToken(String(decoding: bytes, as: UTF8.self)) else { continue }
            do {
                _ = try Box.page(after: token, size: 2, sortedBy: .ascending(\.name), in: context)
            } catch let error as RecordStackError {
                #expect(
                    error.code == .misuse && error.message.utf8.count < 2_000, "seed \(random.seed)"
                )
                refused += 1
            }
        }
        #expect(refused > 0, "seed \(random.seed)")
    }

    @Test func `an object ID read from garbage text survives a round trip`() {
        let pieces = [
            "recordstack://", "\(UUID())", "/", ":", "Box", "Chest", "1", "9223372036854775807",
            "-1", "0", "+1",
            "01", "9223372036854775808", "é", "\u{301}", "\u{0}", " ", "//", "🙂", "RECORDSTACK://",
            "%2F",
        ]
        var random = Seeded.fromEnvironment()
        print("seed \(random.seed)")
        var (read, whole) = (0, 0)
        for _ in 0..<Seeded.rounds(20_000, full: 1_000_000) {
            var parts =
                random.chance(60)
                ? ["recordstack://", "\(UUID())", "/", "Chest", ":", "Box", "/", "7"] : []
            if parts.isEmpty {
                for _ in 0..<random.below(10) { parts.append(pieces[random.below(pieces.count)]) }
            } else if random.chance(80) {
                parts[random.below(parts.count)] = pieces[random.below(pieces.count)]
            }
            let text = parts.joined()
            guard let id = ManagedObjectID(text) else { continue }
            read += 1
            whole += id.description == text ? 1 : 0
            #expect(ManagedObjectID(id.description) == id, "\(text), seed \(random.seed)")
        }
        #expect(read > 0 && whole > 0, "seed \(random.seed)")
    }
}
