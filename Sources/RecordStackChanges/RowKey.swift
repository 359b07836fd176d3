/// The identity of a row: the index of its entity in the model, and its key.
package struct RowKey: Sendable, Hashable {
    package let entity: Int
    package let key: Int64

    package init(entity: Int, key: Int64) {
        self.entity = entity
        self.key = key
    }
}
