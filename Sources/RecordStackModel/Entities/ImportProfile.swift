/// A named set of import mappings, for another source of the same objects.
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
/// An option that a property declares without a profile applies in every profile, unless the
/// property declares an option of the same kind for that profile.
public struct ImportProfile: Sendable, Hashable, RawRepresentable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// The profile's name.
    public let rawValue: String

    /// Creates a profile with a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a profile with a name.
    public init(stringLiteral name: String) { rawValue = name }

    /// The profile's name.
    public var description: String { rawValue }
}
