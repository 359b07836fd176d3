import Foundation
import Library
import RecordStack
import RecordStackTesting
import Testing

/// The same seed gives the same text, in every stack and in every run.
@Suite struct DumpTests {
    @Test func `stacks side by side have the same dump to the byte`() async throws {
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for index in 0..<8 {
                group.addTask {
                    let place = index % 2 == 0 ? TestStack.Location.memory : .temporaryFile
                    let test = try TestStack(entities: libraryEntities, at: place, seed: thousand)
                    return "\(try test.dump())"
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(texts.count == 1)
        #expect(texts.first?.utf8.count == 137_663)
        #expect(texts.first.map(checksum) == "57c2493596b63492")
    }

    /// Returns the 64-bit FNV-1a hash of a text, which is the same on every machine.
    private func checksum(_ text: String) -> String {
        String(
            text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
                ($0 ^ UInt64($1)) &* 0x100_0000_01b3
            }, radix: 16)
    }
}
