public import RecordStackModel

/// What a context does when objects are loaded one by one that could be loaded together: the loop that runs one
/// query for each object it comes to.
///
/// ```swift
/// context.strictLoading = .reporting { print($0) }
/// for person in try Person.find(in: context) {
///     print(person.team?.title ?? "")
/// }
/// // loadedOneByOne: Person.team was loaded object by object, at List.swift:12. …
/// ```
///
/// Without it such loops are slower than they need to be, and no more than that: after the first object,
/// others are loaded along. It is for development: finding out the line takes up to a second or two in a large
/// program, and in release builds the message has no line.
public enum StrictLoading: Sendable {
    /// Nothing is told.
    case off
    /// The loop goes on, and the first time that each relationship is loaded one by one after a find, the
    /// closure is told on the reading thread.
    case reporting(@Sendable (RecordStackError) -> Void)
    /// As any error of a property read: the read gives its value, the error goes to the context's
    /// ``ManagedObjectContext/faultHandler``, and the context's next throwing operation throws it, or the
    /// end of ``ManagedObjectContext/withStrictLoading(_:)``.
    case throwing

    var isOff: Bool { if case .off = self { true } else { false } }
}

extension ManagedObjectContext {
    /// Runs a body in which loading objects one by one is an error, thrown when the body has returned.
    ///
    /// ```swift
    /// try context.withStrictLoading {
    ///     for company in companies { total += company.people.count }
    /// }
    /// ```
    ///
    /// - Throws: ``RecordStackError/Code/loadedOneByOne`` with the line of the loop in its message, and what the
    ///   body throws.
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

/// What can be loaded one by one.
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
