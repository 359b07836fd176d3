import RecordStack

/// `Booking`, written by hand.
final class HandBooking: ManagedObject, BookingValues {
    private var _title: String
    private var _seats: Int
    private var _code: String?
    private var _colour: String
    private var _number: Int
    private var _start: Double
    private var _end: Double
    private var _room: Int64

    var title: String {
        get {
            willAccessValue()
            return _title
        }
        set {
            willChangeValue(at: 0, from: _title)
            _title = newValue
        }
    }
    var seats: Int {
        get {
            willAccessValue()
            return _seats
        }
        set {
            willChangeValue(at: 1, from: _seats)
            _seats = newValue
        }
    }
    var code: String? {
        get {
            willAccessValue()
            return _code
        }
        set {
            willChangeValue(at: 2, from: _code)
            _code = newValue
        }
    }
    var colour: String {
        get {
            willAccessValue()
            return _colour
        }
        set {
            willChangeValue(at: 3, from: _colour)
            _colour = newValue
        }
    }
    var number: Int {
        get {
            willAccessValue()
            return _number
        }
        set {
            willChangeValue(at: 4, from: _number)
            _number = newValue
        }
    }
    var start: Double {
        get {
            willAccessValue()
            return _start
        }
        set {
            willChangeValue(at: 5, from: _start)
            _start = newValue
        }
    }
    var end: Double {
        get {
            willAccessValue()
            return _end
        }
        set {
            willChangeValue(at: 6, from: _end)
            _end = newValue
        }
    }
    var room: Hall? {
        get {
            willAccessValue()
            return toOne(at: 7, key: _room)
        }
        set { _room = changeToOne(at: 7, to: newValue) }
    }

    override class var entityDescription: EntityDescription { bookingDescription }
    override class var slotCount: Int { 8 }
    override class var relationshipCount: Int { 1 }

    private static let bookingDescription = EntityDescription(
        name: "Booking", type: HandBooking.self, properties: properties(of: HandBooking.self))

    static func properties<Root: HandBooking>(of root: Root.Type) -> [PropertyDescription] {
        ManagedObject.properties(of: root) + [
            .attribute(\Root.title, "title", .length(1...20)),
            .attribute(\Root.seats, "seats", .range(1...8), default: 1),
            .attribute(\Root.code, "code", .pattern("[A-Z]{3}-[0-9]+")),
            .attribute(\Root.colour, "colour", .oneOf("red", "green"), default: "red"),
            .attribute(
                \Root.number, "number",
                .validated("must be even") { (number: Int) in number.isMultiple(of: 2) },
                default: 0),
            .attribute(\Root.start, "start", default: 0),
            .attribute(\Root.end, "end", default: 1),
            .toOne(\Root.room, "room", .required),
        ]
    }

    required init(row: borrowing RowCells, seed: ObjectSeed) {
        _title = String.read(row, at: 0)
        _seats = Int.read(row, at: 1)
        _code = Optional<String>.read(row, at: 2)
        _colour = String.read(row, at: 3)
        _number = Int.read(row, at: 4)
        _start = Double.read(row, at: 5)
        _end = Double.read(row, at: 6)
        _room = row.key(at: 7)
        super.init(row: row, seed: seed)
    }

    required init(seed: ObjectSeed) {
        _title = String.placeholder
        _seats = seed.isNew ? 1 : Int.placeholder
        _code = nil
        _colour = seed.isNew ? "red" : String.placeholder
        _number = 0
        _start = 0
        _end = seed.isNew ? 1 : Double.placeholder
        _room = 0
        super.init(seed: seed)
    }

    override class func make(row: borrowing RowCells, seed: ObjectSeed) -> ManagedObject {
        HandBooking(row: row, seed: seed)
    }

    override func load(_ row: borrowing RowCells) { load(row, slots: Self.allSlots) }

    private static let allSlots = Set(0..<8)

    private func load(_ row: borrowing RowCells, slots: Set<Int>) {
        if slots.contains(0) { _title = String.read(row, at: 0) }
        if slots.contains(1) { _seats = Int.read(row, at: 1) }
        if slots.contains(2) { _code = Optional<String>.read(row, at: 2) }
        if slots.contains(3) { _colour = String.read(row, at: 3) }
        if slots.contains(4) { _number = Int.read(row, at: 4) }
        if slots.contains(5) { _start = Double.read(row, at: 5) }
        if slots.contains(6) { _end = Double.read(row, at: 6) }
        if slots.contains(7) { _room = row.key(at: 7) }
    }

    override func load(_ row: borrowing RowCells, slots: SlotSet) {
        load(row, slots: Self.allSlots.filter { slots.contains($0) })
    }

    override func write(to writer: inout CellWriter) {
        _title.write(to: &writer)
        _seats.write(to: &writer)
        _code.write(to: &writer)
        _colour.write(to: &writer)
        _number.write(to: &writer)
        _start.write(to: &writer)
        _end.write(to: &writer)
        writer.append(key: _room)
    }

    override func storedValue(at slot: Int) -> StoredValue {
        switch slot {
        case 0: _title.storedValue
        case 1: _seats.storedValue
        case 2: _code.storedValue
        case 3: _colour.storedValue
        case 4: _number.storedValue
        case 5: _start.storedValue
        case 6: _end.storedValue
        case 7: _room == 0 ? .null : .integer(_room)
        default: super.storedValue(at: slot)
        }
    }

    override class var lifeCycleHooks: LifeCycleHooks {
        super.lifeCycleHooks.union([.validateForInsert, .validateForUpdate, .validateForDelete])
    }

    override func validateForInsert() throws { try validateTimes() }
    override func validateForUpdate() throws { try validateTimes() }

    override func validateForDelete() throws {
        if number == 42 { throw ValidationError("Number 42 cannot be cancelled.") }
    }

    private func validateTimes() throws {
        var error = ValidationError()
        if end <= start { error.add("must be after the start", property: \HandBooking.end) }
        if seats == 8 && colour == "green" { error.add("eight seats are never green") }
        try error.throwIfAny()
    }

    static var titlePath: KeyPath<HandBooking, String> { \.title }
    static var endPath: KeyPath<HandBooking, Double> { \.end }
    var place: ManagedObject? {
        get { room }
        set { room = newValue as? Hall }
    }

    static func makePlace(_ number: Int, in context: ManagedObjectContext) throws -> ManagedObject {
        try Hall.create(in: context, number: number)
    }
}
