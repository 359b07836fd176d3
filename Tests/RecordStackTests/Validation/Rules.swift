import Foundation
import RecordStack

enum Rank: Int, CaseIterable, AttributeValue, Comparable {
    case low = 9, middle = 5, high = 1

    /// Compares in the opposite order of the raw values.
    static func < (a: Rank, b: Rank) -> Bool { a.rawValue > b.rawValue }
}

struct Mail: RawRepresentable, AttributeValue {
    var rawValue: String
    static let placeholder = Mail(rawValue: "")
}

/// An entity with a rule for every kind of attribute.
@Entity final class Checked: ManagedObject {
    @Attribute(.range(0...120)) var age: Int?
    @Attribute(.range(1..<10)) var small: Int16 = 1
    @Attribute(.range(0...)) var large: UInt64 = 0
    @Attribute(.range(0...1)) var share: Double = 0
    @Attribute(.range(...0.3)) var part: Float = 0
    @Attribute(.range(0...99.9)) var price: Decimal = 0
    @Attribute(.range(Date(timeIntervalSinceReferenceDate: 0)...)) var since: Date?
    @Attribute(.range("b"..<"d")) var letter: String = "b"
    @Attribute(.range(Rank.low...Rank.middle)) var grade: Rank = .low
    @Attribute(.length(1...5)) var name: String = "-"
    @Attribute(.length(..<3)) var bytes: Data?
    @Attribute(.length(2...2)) var country: String?
    @Attribute(.pattern("[A-Z]{2}[0-9]+")) var code: String?
    @Attribute(.pattern("[^@]+@[^@]+", message: "must be an address")) var mail: Mail?
    @Attribute(.oneOf("S", "M", "L")) var size: String = "M"
    @Attribute(.oneOf(1, 2, 3)) var rate: Double = 1
    @Attribute(.oneOf(0.5, 1)) var weight: Decimal = 1
    @Attribute(.validated("must be even") { (seats: Int) in seats.isMultiple(of: 2) })
    var seats: Int = 2
    @Attribute(
        .validated("Pick a tag or more.") { (tags: [String]) in !tags.isEmpty },
        .validated("must not repeat") { (tags: [String]) in Set(tags).count == tags.count })
    var tags: [String] = ["a"]
}

/// An entity that can be broken in seven ways at once; see `HandBooking`.
@Entity final class Booking: ManagedObject {
    @Attribute(.length(1...20)) var title: String
    @Attribute(.range(1...8)) var seats: Int = 1
    @Attribute(.pattern("[A-Z]{3}-[0-9]+")) var code: String?
    @Attribute(.oneOf("red", "green")) var colour: String = "red"
    @Attribute(.validated("must be even") { (number: Int) in number.isMultiple(of: 2) })
    var number: Int = 0
    @Attribute var start: Double = 0
    @Attribute var end: Double = 1
    @Relationship(.required, inverse: \Room.bookings) var room: Room?

    override func validateForInsert() throws { try validateTimes() }
    override func validateForUpdate() throws { try validateTimes() }

    override func validateForDelete() throws {
        if number == 42 { throw ValidationError("Number 42 cannot be cancelled.") }
    }

    private func validateTimes() throws {
        var error = ValidationError()
        if end <= start { error.add("must be after the start", property: \Booking.end) }
        if seats == 8 && colour == "green" { error.add("eight seats are never green") }
        try error.throwIfAny()
    }
}

@Entity final class Room: ManagedObject {
    @Attribute(.unique) var number: Int = 0
    @Relationship var bookings: ToMany<Booking>
}

/// The entity that `HandBooking` has in place of rooms.
@Entity final class Hall: ManagedObject {
    @Attribute(.unique) var number: Int = 0
}

/// The values of bookings that tests use, whether the class is written by hand or by the macro.
protocol BookingValues: ManagedObject {
    static var titlePath: KeyPath<Self, String> { get }
    static var endPath: KeyPath<Self, Double> { get }
    var title: String { get set }
    var seats: Int { get set }
    var code: String? { get set }
    var colour: String { get set }
    var number: Int { get set }
    var start: Double { get set }
    var end: Double { get set }
    var place: ManagedObject? { get set }
    static func makePlace(_ number: Int, in context: ManagedObjectContext) throws -> ManagedObject
}

extension Booking: BookingValues {
    static var titlePath: KeyPath<Booking, String> { \.title }
    static var endPath: KeyPath<Booking, Double> { \.end }
    var place: ManagedObject? {
        get { room }
        set { room = newValue as? Room }
    }

    static func makePlace(_ number: Int, in context: ManagedObjectContext) throws -> ManagedObject {
        try Room.create(in: context, number: number)
    }
}
