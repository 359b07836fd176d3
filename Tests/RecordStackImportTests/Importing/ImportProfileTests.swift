import Foundation
import RecordStack
import RecordStackTesting
import Testing

extension ImportProfile {
    static let legacy: ImportProfile = "legacy"
}

@Entity final class Colleague: ManagedObject {
    @Attribute(.unique, .imported(from: "email"), .imported(from: "MAIL", profile: .legacy))
    var email: String
    @Attribute(.imported(from: "born"), .dateFormat(.pattern("dd.MM.yyyy"), profile: .legacy))
    var born: Date?
    @Attribute(.notImported, .imported(from: "ROOM", profile: .legacy)) var room: String?
    @Attribute(.notImported(profile: .legacy)) var age: Int?
    @Attribute(.importing(null: .ignore, profile: .legacy)) var phone: String?
    @Attribute(.importTransform(profile: .legacy) { .string(($0.string ?? "").lowercased()) })
    var town: String?
}

@Suite("Import profiles") struct ImportProfileTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try TestStack(for: Colleague.self)
        context = test.stack.newContext()
    }

    private func load(_ text: String, _ profile: ImportProfile?) throws -> ImportReport {
        var options = ImportOptions()
        options.profile = profile
        return try Colleague.importJSON(Data(text.utf8), in: context, options: options)
    }

    @Test func `an import profile has its own key mapping`() throws {
        let old = #"""
            {"MAIL": "a@b", "born": "07.02.2018", "ROOM": "12", "age": 30, "phone": "1", "town": "ROME"}
            """#
        #expect(try load(old, .legacy).problems.isEmpty)
        let colleague = try #require(try Colleague.findFirst(in: context))
        #expect(colleague.email == "a@b" && colleague.room == "12" && colleague.age == nil)
        #expect(colleague.born == Date(timeIntervalSince1970: 1_517_961_600))
        #expect(colleague.town == "rome")
        let new =
            #"{"email": "a@b", "born": "2018-02-08", "room": "13", "age": 31, "town": "Rome"}"#
        #expect(try load(new, nil).updated == 1)
        #expect(colleague.room == "12" && colleague.age == 31 && colleague.town == "Rome")
        #expect(try load(#"{"MAIL": "a@b", "phone": null}"#, .legacy).unchanged == 1)
        #expect(try load(#"{"email": "a@b", "phone": null}"#, nil).updated == 1)
    }

    @Test func `the error for an unknown import profile lists the profiles`() throws {
        let error = #expect(throws: RecordStackError.self) { _ = try load("[]", "legcy") }
        #expect(error?.code == .misuse)
        #expect(error?.message.contains("There are: legacy.") == true)
        var options = ExportOptions()
        options.profile = "legcy"
        let writing = #expect(throws: RecordStackError.self) {
            _ = try Colleague.exportJSON(in: context, options: options)
        }
        #expect(writing?.code == .misuse)
        options.profile = .legacy
        #expect(try !Colleague.exportJSON(in: context, options: options).isEmpty)
    }
}
