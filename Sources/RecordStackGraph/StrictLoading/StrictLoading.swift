public import RecordStackModel

/// A context's response to loops that run one query for each object.
///
/// ```swift
/// context.strictLoading = .reporting { print($0) }
/// for person in try Person.find(in: context) {
///     print(person.team?.title ?? "")
/// }
/// // loadedOneByOne: Person.team was loaded object by object, at List.swift:12. …
/// ```
///
/// Use it in development. Without strict loading, such a loop works, but is slower than necessary.
/// The context limits the cost: after the first object, each query also loads further objects. In
/// release builds, the message does not name the line of the loop. In a large program, finding the
/// line can take a second or two.
public enum StrictLoading: Sendable {
    /// Reports nothing.
    case off
    /// Calls a closure on the reading thread, and lets the loop continue.
    ///
    /// After each find, the closure is called at most once for each relationship that is loaded
    /// object by object.
    case reporting(@Sendable (RecordStackError) -> Void)
    /// Reports the load as an error of the property read, which still returns the value.
    ///
    /// The context's ``ManagedObjectContext/faultHandler`` gets the error. The context's next
    /// throwing operation, or the end of ``ManagedObjectContext/withStrictLoading(_:)``, throws it.
    case throwing

    var isOff: Bool { if case .off = self { true } else { false } }
}

extension ManagedObjectContext {
    /// Runs a closure, and then throws an error if the closure has loaded objects one by one.
    ///
    /// ```swift
    /// try context.withStrictLoading {
    ///     for company in companies { total += company.people.count }
    /// }
    /// ```
    ///
    /// - Throws: ``RecordStackError/Code/loadedOneByOne``, whose message names the line of the loop
    ///   in debug builds. Also throws the errors of the closure.
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
