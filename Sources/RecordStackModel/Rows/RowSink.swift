/// A receiver of the rows of a request, one after another.
///
/// The store first calls ``wants(key:version:entity:)`` and fills the cells only of a wanted row. A
/// row that the context already holds therefore costs only a lookup.
package protocol RowSink: AnyObject {
    /// Called when the request's statement has begun to read, so that it sees no later commits.
    func didBegin() throws

    /// Whether the sink may become full, so that the store checks ``isFull`` after each row.
    var stopsEarly: Bool { get }
    /// Whether the sink accepts no more rows.
    var isFull: Bool { get }

    /// Returns true if the store should read the row.
    ///
    /// The version tells whether a held object is current. `entity` is the index in the model
    /// of the row's own entity.
    func wants(key: Int64, version: RowVersion, entity: Int) -> Bool

    /// Receives a wanted row.
    func row(_ cells: borrowing RowCells, key: Int64, version: RowVersion, entity: Int) throws
}

extension RowSink {
    package func didBegin() throws {}
    package var stopsEarly: Bool { false }
    package var isFull: Bool { false }
    package func wants(key: Int64, version: RowVersion, entity: Int) -> Bool { true }
}
