import FoundationEssentials
import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Numbers that another program has written into a file. The library must check them before it
/// calculates with them.
@Suite("Numbers in files") struct FileNumberTests {
    private static let edges = [
        "9223372036854775807", "9223372036854775806", "-9223372036854775808",
        "-9223372036854775807",
        "4611686018427387904", "4611686018427387903", "-4611686018427387904", "2305843009213693952",
        "0", "-1",
        "1", "1.5", "1e300", "'abc'", "x'00'", "16777217",
    ]

    private func shelf(_ count: Int = 4) throws -> (TestStack, ForeignProgram) {
        let test = try TestStack(for: Crate.self, Rack.self, Label.self, at: .temporaryFile)
        try test.stack.saveWithBlockAndWait { context in
            let rack = try Rack.create(in: context, name: "a")
            for number in 0..<count {
                rack.crates.append(try Crate.create(in: context, whole: number))
            }
            rack.labels.insert(try Label.create(in: context))
        }
        return (test, try ForeignProgram(path: try #require(test.path)))
    }

    /// Runs operations. Each must succeed or throw a `RecordStackError`, whatever the file
    /// contains.
    private func exercise(_ stack: ContextStack, _ what: String) {
        let steps: [(String, (ManagedObjectContext) throws -> Void)] = [
            ("find", { _ = try Crate.find(sortedBy: .ascending(\.whole), in: $0) }),
            ("count", { _ = try Crate.count(in: $0) }),
            ("sum", { _ = try $0.sum(of: \.whole, for: Crate.all) }),
            ("page", { _ = try Crate.page(1, size: 2, in: $0) }),
            (
                "members",
                {
                    for rack in try Rack.find(in: $0) {
                        for crate in rack.crates { _ = crate.whole }
                    }
                }
            ),
            (
                "edit",
                { context in
                    for crate in try Crate.find(in: context) { crate.whole &+= 1 }
                    try context.saveAndWait()
                }
            ),
            (
                "move",
                { context in
                    for rack in try Rack.find(in: context) where rack.crates.endIndex > 2 {
                        for place in 0..<3 {
                            let crate = rack.crates[place]
                            rack.crates.remove(crate)
                            rack.crates.insert(crate, at: 0)
                            rack.crates.append(try Crate.create(in: context))
                        }
                    }
                    try context.saveAndWait()
                }
            ),
            (
                "insert",
                { context in
                    for _ in 0..<3 { try Crate.create(in: context) }
                    try context.saveAndWait()
                }
            ),
            (
                "delete",
                { context in
                    try Crate.find(in: context).first?.delete()
                    try context.saveAndWait()
                }
            ),
        ]
        for (name, step) in steps {
            let context = stack.newContext()
            do {
                try step(context)
            } catch {
                #expect(error is RecordStackError, "\(what), \(name): \(error)")
            }
        }
        for (name, step) in [
            ("update", { _ = try stack.updateAndWait(Crate.all) { $0.whole += 1 } }),
            ("delete", { _ = try stack.deleteAndWait(Crate.where { $0.whole > 2 }) }),
            ("deleteAll", { _ = try stack.deleteAndWait(Crate.all) }),
        ] as [(String, () throws -> Void)] {
            do { try step() } catch {
                #expect(error is RecordStackError, "\(what), \(name): \(error)")
            }
        }
    }

    @Test(arguments: ["_version", "_key", "_rack_position", "rack", "whole"])
    func `an extreme number in a column of an entity does not crash the program`(
        column: String
    ) throws {
        for edge in Self.edges {
            for rows in ["", " WHERE _key = (SELECT max(_key) FROM Crate)"] {
                let (test, program) = try shelf(rows.isEmpty ? 1 : 4)
                // A key column accepts only integers.
                if !program.attempt("UPDATE Crate SET \(column) = \(edge)\(rows)") { continue }
                exercise(test.stack, "\(column) = \(edge)")
            }
        }
    }

    private struct Weak {
        weak var object: ManagedObject?
    }

    /// The identity map must be able to find the object again, or it would stay in memory forever.
    @Test(arguments: [0, -1, -2, -5])
    func `objects whose row key is zero or negative are freed with their context`(key: Int) throws {
        let (test, program) = try shelf(200)
        #expect(program.attempt("UPDATE Crate SET _key = \(key) WHERE whole = 1"))
        #expect(program.attempt("UPDATE Crate SET rack = \(key) WHERE whole = 2"))
        var seen: [Weak] = []
        for _ in 0..<2 {
            let context = test.stack.newContext()
            let rack = try #require(try Rack.findFirst(in: context))
            for crate in rack.crates {
                _ = crate.text
                seen.append(Weak(object: crate))
            }
            for place in rack.crates.indices { seen.append(Weak(object: rack.crates[place])) }
            let other = test.stack.newContext()
            let led = try #require(try Crate.findFirst(in: other) { $0.whole == 2 })
            #expect(led.rack == nil)
        }
        #expect(seen.count > 400)
        #expect(seen.allSatisfy { $0.object == nil })
    }

    @Test(arguments: ["_position", "_inverse_position", "_version"])
    func `an extreme position or version in a table does not crash the program`(
        column: String
    ) throws {
        for edge in Self.edges {
            let (test, program) = try shelf()
            for table in try program.rows(
                "SELECT m.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE c.name = '\(column)'"
            ) {
                try program.run("UPDATE \"\(table[0])\" SET \(column) = \(edge)")
            }
            exercise(test.stack, "\(column) = \(edge)")
        }
    }

    @Test(arguments: edges)
    func `an extreme number in the metadata table does not crash the program`(edge: String) throws {
        for name in [
            "lease:Crate", "lease:Rack", "token", "format", "token:0", "uuid", "incarnation",
        ] {
            let (test, program) = try shelf()
            try program.run("UPDATE _recordstack SET value = \(edge) WHERE name = '\(name)'")
            exercise(test.stack, "\(name) = \(edge)")
            do {
                let other = try ContextStack(
                    for: Crate.self, Rack.self, Label.self, at: .file(try #require(test.path)))
                exercise(other, "\(name) = \(edge), opened anew")
                try other.close()
            } catch {
                #expect(error is RecordStackError, "\(name) = \(edge): \(error)")
            }
        }
    }

    @Test(arguments: [
        "0", "-5", "'abc'", "x'00'", "1.5", "9223372036854775807", "4611686018427387904",
        // Numbers that leave no room for updates, or that exceed the range of a version.
        "0xFFFFFF000001", "1 << 48", "(1 << 48) | 1",
    ])
    func `reading a row with an invalid version throws corrupt`(version: String) async throws {
        let (test, program) = try shelf(1)
        try program.run("UPDATE Crate SET _version = \(version)")
        let error = #expect(throws: RecordStackError.self) {
            try Crate.find(in: test.stack.newContext())
        }
        #expect(error?.code == .corrupt && error?.property == "_version" && error?.objectID != nil)
        let problems = try await test.stack.integrityCheck()
        #expect(problems.contains { $0.kind == .wrongValue && $0.description.contains("_version") })
    }

    @Test(arguments: ["'abc'", "x'00'", "1.5", "9223372036854775807", "-9223372036854775808"])
    func `reading a row with an invalid position in an order throws corrupt`(
        place: String
    ) async throws {
        let (test, program) = try shelf(3)
        try program.run("UPDATE Crate SET _rack_position = \(place) WHERE whole = 1")
        let context = test.stack.newContext()
        let rack = try #require(try Rack.find(in: context).first)
        let error = #expect(throws: RecordStackError.self) {
            for crate in rack.crates { _ = crate.whole }
            _ = try Rack.find(in: context)
        }
        #expect(error?.code == .corrupt && error?.objectID?.entityName == "Crate")
        let problems = try await test.stack.integrityCheck()
        #expect(
            problems.contains {
                $0.kind == .wrongValue && $0.description.contains("_rack_position")
            })
    }

    @Test func `an ordered to-many with extreme positions accepts members at its ends`() throws {
        let (test, program) = try shelf(3)
        for last in ["4611686018427387903 - whole", "-4611686018427387903 + whole"] {
            try program.run("UPDATE Crate SET _rack_position = \(last), _version = _version + 1")
            let context = test.stack.newContext()
            let rack = try #require(try Rack.find(in: context).first)
            var expected = Array(rack.crates)
            for number in 0..<3 {
                let (new, first) = (
                    try Crate.create(in: context, whole: 10 + number),
                    try Crate.create(in: context, whole: 20)
                )
                rack.crates.append(new)
                rack.crates.insert(first, at: 0)
                expected = [first] + expected + [new]
            }
            try context.saveAndWait()
            #expect(rack.crates.map(\.objectID) == expected.map(\.objectID))
            let reader = test.stack.newContext()
            let again = try #require(try Rack.find(in: reader).first)
            #expect(again.crates.map(\.objectID) == expected.map(\.objectID))
        }
    }

    // MARK: Keys

    @Test(arguments: [
        "DELETE FROM _recordstack WHERE name = 'lease:Crate'",
        "UPDATE _recordstack SET value = NULL WHERE name = 'lease:Crate'",
        "UPDATE _recordstack SET value = 'abc' WHERE name = 'lease:Crate'",
        "UPDATE _recordstack SET value = -5 WHERE name = 'lease:Crate'",
    ])
    func `creating objects throws corrupt if the store's key counter is damaged`(
        damage: String
    ) async throws {
        let (test, program) = try shelf(1)
        // These keys belong to objects that are not saved yet.
        let pending = test.stack.newContext()
        let given = try (0..<3).map { _ in try Crate.create(in: pending).objectID }
        try program.run(damage)
        let other = try ContextStack(
            for: Crate.self, Rack.self, Label.self, at: .file(try #require(test.path)))
        defer { try? other.close() }
        let context = other.newContext()
        let error = #expect(throws: RecordStackError.self) {
            let new = try (0..<3).map { _ in try Crate.create(in: context).objectID }
            #expect(Set(new).isDisjoint(with: given))
        }
        #expect(error?.code == .corrupt, "\(String(describing: error))")
        let problems = try await other.integrityCheck()
        #expect(problems.contains { $0.description.contains("count of keys") })
        try await pending.save()
    }

    @Test func `creating an object throws corrupt if the store has the largest key`() throws {
        let (test, program) = try shelf(1)
        try program.run("UPDATE Crate SET _key = 9223372036854775807")
        let other = try ContextStack(
            for: Crate.self, Rack.self, Label.self, at: .file(try #require(test.path)))
        defer { try? other.close() }
        let context = other.newContext()
        #expect(try Crate.find(in: context).map(\.whole) == [0])
        let error = #expect(throws: RecordStackError.self) { try Crate.create(in: context) }
        #expect(error?.code == .corrupt && error?.message.contains("9223372036854775807") == true)
    }
}
