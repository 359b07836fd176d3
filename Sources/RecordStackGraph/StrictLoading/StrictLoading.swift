public import RecordStackModel

/// The response of a context to loops that run one query for each object.
///
/// ```swift
/// context.strictLoading = .reporting { print($0) }
/// for person in try Person.find(in: context) {
///     print(person.team?.title ?? "")
/// }
/// // loadedOneByOne: Person.team was loaded object by object, at List.swift:12. …
/// ```
///
/// Use it in development. Without strict loading, such loops are only slower than necessary: after
/// the first object, the context loads further objects along with each one. In release builds the
/// message has no line. In a large program, finding the line takes up to a second or two.
public enum StrictLoading: Sendable {
    /// Reports nothing.
    case off
    /// Calls a closure on the reading thread, and lets the loop continue.
    ///
    /// The closure is called the first time that a relationship is loaded object by object after a
    /// find.
    case reporting(@Sendable (RecordStackError) -> Void)
    /// Treats the load as an error of a property read, which still returns the value.
    ///
    /// The error goes to the context's ``ManagedObjectContext/faultHandler``. The context's next
    /// throwing operation throws it, or the end of ``ManagedObjectContext/withStrictLoading(_:)``.
    case throwing

    var isOff: Bool { if case .off = self { true } else { false } }
}

extension ManagedObjectContext {
    /// Runs a body and throws an error at its end if it has loaded objects one by one.
    ///
    /// ```swift
    /// try context.withStrictLoading {
    ///     for company in companies { total += company.people.count }
    /// }
    /// ```
    ///
    /// - Throws: ``RecordStackError/Code/loadedOneByOne`` with the line of the loop in its message,
    ///   and the errors of the body.
    public func withStrictLoading<Value>(_ body: () throws -> Value) throws -> Value {
        try enter()
        let before = strictLoading
        strictLoading = .throwing
        defer { strictLoading = before }
        loader.beginCountingSingleLoads()
        let value = try body()
        if errors.pending?.code == .loadedOneByOne { try enter() }
        return value
    }
}

/// The kinds of loads that can happen one by one.
enum SingleLoad: Hashable {
    case faults(entity: Int)
    case toOne(entity: Int, slot: Int)
    case toMany(entity: Int, relationship: Int)
}

extension RecordStackError {
    static func loadedOneByOne(
        _ what: (entity: String, property: String?), at site: String?
    ) -> RecordStackError {
        let location = site.map { ", at \($0)" } ?? ""
        let message =
            if let property = what.property {
                "\(what.entity).\(property) was loaded object by object\(location). Load it along with the "
                    + "objects: \(what.entity).find(prefetching: { $0.\(property) }, …), or a request's "
                    + ".prefetching { $0.\(property) }."
            } else {
                "Objects of \(what.entity) were loaded one by one\(location). Load them with one request, "
                    + "which fills those that are held."
            }
        return RecordStackError(
            .loadedOneByOne, message, entity: what.entity, property: what.property)
    }
}
