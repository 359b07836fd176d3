import Foundation
import RecordStack
import RecordStackTesting

@Entity final class Member: ManagedObject {
    @Attribute(.unique, .imported(from: "email", "contact.mail")) var email: String
    @Attribute(.imported(from: "full_name")) var name: String = ""
    @Attribute var age: Int?
    @Attribute var born: Date?
    @Attribute var photo: Data?
    @Relationship(inverse: \Club.members) var club: Club?
}

@Entity final class Club: ManagedObject {
    @Attribute(.unique) var title: String
    @Relationship var members: ToMany<Member>
}

/// An entity without an identity, whose objects must have an author.
@Entity final class Remark: ManagedObject {
    @Attribute var text: String
    @Relationship(.required) var author: Member?
}

@Entity class Vehicle: ManagedObject {
    @Attribute(.unique) var plate: String
    @Attribute var wheels: Int = 4
}

@Entity final class Truck: Vehicle {
    @Attribute var cargo: Double = 1.5
}

/// An entity with values of every kind.
@Entity final class Sample: ManagedObject {
    @Attribute(.unique) var number: Int
    @Attribute var flag: Bool = false
    @Attribute var real: Double?
    @Attribute var single: Float?
    @Attribute var text: String?
    @Attribute var date: Date?
    @Attribute var data: Data?
    @Attribute var uuid: UUID?
    @Attribute var url: URL?
    @Attribute var decimal: Decimal?
    @Attribute var unsigned: UInt64?
    @Attribute var tags: [String] = []
}

extension Factory<Member> {
    static let member = Factory { member, number in
        member.email = "member\(number)@example.org"
        member.name = "Member \(number)"
    }
    static let pensioner = member.with { member, _ in member.age = 70 }
    static let clubMember = member.association(\.club, .club)
}

extension Factory<Club> {
    static let club = Factory { club, number in club.title = "Club \(number)" }
    static let fullClub = club.association(\.members, 11, .clubMember)
}
