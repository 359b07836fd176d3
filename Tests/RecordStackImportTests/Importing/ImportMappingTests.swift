import Foundation
import RecordStack
import RecordStackTesting
import Testing

/// An entity whose key path has an empty step.
@Entity final class Signpost: ManagedObject {
    @Attribute(.imported(from: "place..east")) var east: Double?
}

@Suite("Import declarations") struct ImportMappingTests {
    @Test(arguments: ["[]", #"[{"place": {"east": 1}}]"#])
    func `an import throws misuse for a declared key path with an empty part`(rows: String) throws {
        let context = try TestStack(for: Signpost.self).stack.newContext()
        let error = #expect(throws: RecordStackError.self) {
            _ = try Signpost.importJSON(Data(rows.utf8), in: context)
        }
        #expect(error?.code == .misuse && error?.message.contains("place..east") == true)
        #expect(!context.hasChanges)
    }

    @Test func `an import with replace changes no property declared notImported`() throws {
        let context = try TestStack(for: Barrel.self).stack.newContext()
        let barrel = try Barrel.create(in: context, code: 1)
        (barrel.secret, barrel.version) = ("mine", "1")
        let text = Data(#"{"code": 1, "secret": "theirs"}"#.utf8)
        try Barrel.importJSON(text, in: context, options: .replace)
        #expect(barrel.secret == "mine" && barrel.version == nil)
    }
}
