/// Who takes the rows of a request, one after another.
///
/// The store asks ``wants(key:version:entity:)`` first, and fills the cells only of a row that is
/// wanted: a row that the context holds already costs a look-up.
package protocol RowSink: AnyObject {
    /// The request's statement has begun to read: what is committed later is not seen by it.
    func didBegin() throws

    /// Whether the sink may become full, and is then asked after each row.
    var stopsEarly: Bool { get }
    /// Whether it takes no more rows.
    var isFull: Bool { get }

    /// Whether the row is to be read. The version says whether what is held is still current;
    /// `entity` is the index in the model of the row's own entity.
    func wants(key: Int64, version: RowVersion, entity: Int) -> Bool

    /// A row that was wanted.
    func row(_ cells: borrowing RowCells, key: Int64, version: RowVersion, entity: Int) throws
}

extension RowSink {
    package func didBegin() throws {}
    package var stopsEarly: Bool { false }
    package var isFull: Bool { false }
    package func wants(key: Int64, version: RowVersion, entity: Int) -> Bool { true }
}
