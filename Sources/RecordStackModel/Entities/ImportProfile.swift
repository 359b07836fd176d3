/// A second way to import an entity, for another source of the same objects.
///
/// ```swift
/// extension ImportProfile {
///     static let legacy: ImportProfile = "legacy"
/// }
///
/// @Entity final class Person: ManagedObject {
///     @Attribute(.unique, .imported(from: "email"), .imported(from: "MAIL", profile: .legacy))
///     var email: String
///     @Attribute(.notImported(profile: .legacy)) var age: Int?
/// }
///
/// var options = ImportOptions()
/// options.profile = .legacy
/// ```
///
/// What a property declares without a profile holds in every profile for which it declares nothing else.
public struct ImportProfile: Sendable, Hashable, RawRepresentable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// The profile's name.
    public let rawValue: String

    /// The profile of a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The profile of a name.
    public init(stringLiteral name: String) { rawValue = name }

    /// The profile's name.
    public var description: String { rawValue }
}
