import Foundation
import RecordStack

/// An earthquake in a feed of the United States Geological Survey.
@Entity final class Quake: ManagedObject {
    @Attribute(.unique) var id: String
    @Attribute(.indexed, .imported(from: "properties.mag")) var magnitude: Double?
    @Attribute(.imported(from: "properties.place")) var place: String?
    @Attribute(.imported(from: "properties.time"), .dateFormat(.millisecondsSince1970))
    var time: Date
    @Attribute(.imported(from: "properties.updated"), .dateFormat(.millisecondsSince1970))
    var updated: Date?
    @Attribute(.imported(from: "properties.tz")) var zoneMinutes: Int?
    @Attribute(.imported(from: "properties.url")) var url: URL?
    @Attribute(.imported(from: "properties.detail")) var detail: URL?
    @Attribute(.imported(from: "properties.felt")) var felt: Int?
    @Attribute(.imported(from: "properties.cdi")) var reportedIntensity: Double?
    @Attribute(.imported(from: "properties.mmi")) var instrumentalIntensity: Double?
    @Attribute(.imported(from: "properties.alert")) var alert: String?
    @Attribute(.imported(from: "properties.status")) var status: String?
    @Attribute(.imported(from: "properties.tsunami")) var tsunami: Bool = false
    @Attribute(.imported(from: "properties.sig")) var significance: Int?
    @Attribute(.indexed, .imported(from: "properties.net")) var network: String
    @Attribute(.imported(from: "properties.code")) var code: String?
    @Attribute(.imported(from: "properties.ids")) var ids: String?
    @Attribute(.imported(from: "properties.sources")) var sources: String?
    @Attribute(.imported(from: "properties.types")) var types: String?
    @Attribute(.imported(from: "properties.nst")) var stations: Int?
    @Attribute(.imported(from: "properties.dmin")) var nearestStation: Double?
    @Attribute(.imported(from: "properties.rms")) var rootMeanSquare: Double?
    @Attribute(.imported(from: "properties.gap")) var gap: Double?
    @Attribute(.imported(from: "properties.magType")) var magnitudeType: String?
    @Attribute(.imported(from: "properties.type")) var kind: String?
    @Attribute(.imported(from: "properties.title")) var title: String?
    @Attribute(.imported(from: "geometry.coordinates.0")) var longitude: Double?
    @Attribute(.imported(from: "geometry.coordinates.1")) var latitude: Double?
    @Attribute(.imported(from: "geometry.coordinates.2")) var depth: Double?
}
