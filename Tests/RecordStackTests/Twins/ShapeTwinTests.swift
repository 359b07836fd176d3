import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// What a hierarchy of the macro can do, one that was written by hand can do as well.
@Suite struct ShapeTwinTests {
    private func make<T: ShapeTwin>(
        _ twin: T.Type, at location: TestStack.Location = .memory
    ) throws -> TestStack {
        try TestStack(for: T.Board.self, T.Disc.self, T.Ring.self, at: location) { context in
            let board = try T.Board.create(in: context)
            board.title = "A"
            for number in 1...6 {
                let shape: any TwinDisc =
                    try number % 3 == 0 ? T.Ring.create(in: context) : T.Disc.create(in: context)
                (shape.name, shape.layer) = ("s\(number % 2)", number)
                shape.radius = Double(number)
                (shape as? T.Ring)?.hole = Double(number) / 2
                (shape as? T.Shape)?.board = number > 2 ? board : nil
            }
            board.front = try T.Shape.findFirst(by: T.shape.layer, 3, in: context)
        }
    }

    @Test func `both are described alike, and make the same tables`() throws {
        func lines<T: ShapeTwin>(_ twin: T.Type) throws -> [String] {
            let types: [ManagedObject.Type] = [
                T.Shape.self, T.Disc.self, T.Ring.self, T.Board.self,
            ]
            let described = types.map { type in
                let entity = type.entityDescription
                let names = entity.attributes.map { "\($0.name) \($0.storedName) \($0.slot)" }
                return "\(entity.name) \(entity.storedName) \(entity.isAbstract) "
                    + "\(entity.superentity?.name ?? "") \(type.slotCount) \(names)"
            }
            let test = try make(twin, at: .temporaryFile)
            let schema = try ForeignProgram(path: #require(test.path)).rows(
                "SELECT sql FROM sqlite_master WHERE sql NOT NULL ORDER BY name")
            return described + schema.map { $0[0] }
        }
        let macro = try lines(MacroShapeTwin.self)
        #expect(try macro == lines(HandShapeTwin.self))
        #expect(macro[0].hasPrefix("Shape shapes true"))
        #expect(macro.contains { $0.contains(#"INDEX "_shapes.name,radius.unique""#) })
    }

    @Test(arguments: ShapeTwinKind.allCases)
    func `no object is made of the abstract entity`(_ kind: ShapeTwinKind) throws {
        func check<T: ShapeTwin>(_ twin: T.Type) throws {
            let context = try make(twin).stack.newContext()
            let error = #expect(throws: RecordStackError.self) {
                try T.Shape.create(in: context)
            }
            #expect(error?.code == .misuse && error?.message.contains("Disc, Ring.") == true)
            #expect(throws: RecordStackError.self) {
                try TestStack(for: T.Board.self)
            }
        }
        try check(kind.twin)
    }

    @Test(arguments: ShapeTwinKind.allCases)
    func `objects are found with and without subentities, by inherited properties`(
        _ kind: ShapeTwinKind
    ) throws {
        func layers<Entity: ManagedObject>(
            _ request: FetchRequest<Entity>, _ context: ManagedObjectContext
        ) throws -> [Int] {
            let found = try context.find(request)
            #expect(try context.count(request) == found.count)
            return found.compactMap { ($0 as? any TwinShapeValues)?.layer }
        }
        func check<T: ShapeTwin>(_ twin: T.Type, _ context: ManagedObjectContext) throws {
            #expect(try layers(T.Shape.all, context) == [1, 2, 3, 4, 5, 6])
            #expect(try layers(T.Shape.all.excludingSubentities(), context) == [])
            #expect(try layers(T.Disc.all.excludingSubentities(), context) == [1, 2, 4, 5])
            #expect(try layers(T.Ring.all, context) == [3, 6])
            let odd = T.Disc.where {
                $0[dynamicMember: T.disc.name] == "s1" && $0[dynamicMember: T.radius.disc] >= 3
            }.sorted(by: .descending(T.disc.layer))
            #expect(try layers(odd, context) == [5, 3])
            #expect(try layers(odd.excludingSubentities(), context) == [5])
            let rings = T.Ring.where {
                $0[dynamicMember: T.hole] < 3 && $0[dynamicMember: T.ring.layer] > 0
            }.sorted(by: [.ascending(T.ring.name), .descending(T.radius.ring)])
            #expect(try layers(rings, context) == [3])
            let first = try T.Ring.findFirst(by: T.ring.layer, 6, in: context)
            #expect(first?.hole == 3 && first?.radius == 6 && first?.name == "s0")
            #expect(try T.Ring.findFirst(by: T.ring.layer, 5, in: context) == nil)
        }
        func run<T: ShapeTwin>(_ twin: T.Type) throws {
            let test = try make(twin)
            let context = test.stack.newContext()
            try check(twin, context)
            // The same over what is changed in memory.
            for disc in try T.Disc.find(in: context) { disc.name = "s\(disc.layer % 2)" }
            try T.Disc.findFirst(by: T.disc.layer, 3, in: context)?.radius = 3.25
            try check(twin, context)
        }
        try run(kind.twin)
    }

    @Test(arguments: ShapeTwinKind.allCases)
    func `relationships lead to objects of all levels`(_ kind: ShapeTwinKind) throws {
        func check<T: ShapeTwin>(_ twin: T.Type) throws {
            let context = try make(twin).stack.newContext()
            let board = try #require(try T.Board.findFirst(in: context))
            #expect((board.front as? T.Ring)?.hole == 1.5)
            #expect(board.shapes.count == 4)
            #expect(board.shapes.compactMap { ($0 as? T.Ring)?.layer }.sorted() == [3, 6])
            let moved = try #require(try T.Disc.findFirst(by: T.disc.layer, 1, in: context))
            if let shape = moved as? T.Shape { board.shapes.insert(shape) }
            #expect((moved as? T.Shape)?.board === board && board.shapes.count == 5)
            try board.front?.delete()
            #expect(board.front == nil && board.shapes.count == 4)
            _ = try waitedSave(context)
        }
        try check(kind.twin)
    }

    @Test func `each opens the other's store`() throws {
        func exchange<From: ShapeTwin, To: ShapeTwin>(_ from: From.Type, _ to: To.Type) throws {
            let test = try make(from, at: .temporaryFile)
            try test.stack.close()
            let stack = try ContextStack(
                for: To.Board.self, To.Disc.self, To.Ring.self, at: .file(#require(test.path)))
            let context = stack.newContext()
            let board = try #require(try To.Board.findFirst(in: context))
            #expect((board.front as? To.Ring)?.hole == 1.5 && board.shapes.count == 4)
            try To.Ring.findFirst(in: context)?.hole = 9
            #expect(try waitedSave(context) == .saved(.updating(1)))
            try stack.close()
        }
        try exchange(MacroShapeTwin.self, HandShapeTwin.self)
        try exchange(HandShapeTwin.self, MacroShapeTwin.self)
    }
}
