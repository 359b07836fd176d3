import Foundation
import RecordStack

/// An entity with an attribute of each type.
@Entity final class Everything: ManagedObject {
    @Attribute var flag: Bool
    @Attribute var number: Int
    @Attribute var wide: Int64
    @Attribute var real: Double
    @Attribute var text: String
    @Attribute var date: Date
    @Attribute(.dateFormat(.pattern("dd.MM.yyyy"))) var day: Date
    @Attribute var data: Data
    @Attribute var uuid: UUID
    @Attribute var url: URL?
}
