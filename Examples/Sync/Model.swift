import Foundation
import RecordStack

// The property names are our own. The keys are those of the shop, whose software is not ours.

@Entity final class Product: ManagedObject {
    @Attribute(.unique, .imported(from: "sku")) var code: String
    @Attribute(.imported(from: "titles.en", "title")) var title: String = "untitled"
    @Attribute(
        .imported(from: "price_cents"),
        .importTransform(Cents.toPrice), .exportTransform(Cents.fromPrice))
    var price: Double?
    @Attribute(.imported(from: "released"), .dateFormat(.pattern("dd.MM.yyyy"), .iso8601))
    var released: Date?
    @Attribute var tags: [String] = []
    /// A value that only this program sets. Imports leave it alone.
    @Attribute(.notImported) var isFavourite: Bool = false
    @Relationship(.imported(from: "maker", "maker_id"), inverse: \Maker.products) var maker: Maker?
    @Relationship(
        .importing(members: .replaceAndDelete), deleteRule: .cascade, inverse: \Review.product)
    var reviews: ToMany<Review>
}

@Entity final class Maker: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var name: String = "unknown"
    @Relationship(.notImported) var products: ToMany<Product>
}

@Entity final class Review: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var stars: Int
    @Attribute var text: String?
    @Relationship(.notImported) var product: Product?
}

/// Conversions of the shop's amounts in cents, which are sometimes numbers and sometimes text.
enum Cents {
    @Sendable static func toPrice(_ value: ImportValue) -> ImportValue {
        // Any other value stays as it is, and the import reports it.
        guard let cents = value.double ?? value.string.flatMap({ Double($0) }) else { return value }
        return .number(cents / 100)
    }

    @Sendable static func fromPrice(_ value: ImportValue) -> ImportValue {
        value.double.map { .number(Int(($0 * 100).rounded())) } ?? value
    }
}
