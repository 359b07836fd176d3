/// Operations on a store as a whole.
package protocol StoreMaintenance: AnyObject, Sendable {
    /// - Throws: an error if this process cannot use the store at all.
    func checkUsable() throws
    var statistics: StoreStatistics { get }
    /// The path of the file; nil in memory.
    var path: String? { get }
    func size() throws -> StoreSize
    /// Returns all problems of the store, up to a hundred of each kind.
    func problems() throws -> [StoreProblem]
    /// Copies the store as it is at one moment.
    ///
    /// - Parameter progress: called repeatedly with the progress. If it throws, the copy
    ///   is removed.
    func backUp(
        to path: String, replacing: Bool, progress: (BackupProgress) throws -> Void) throws
    /// Rewrites the store without gaps.
    ///
    /// Called by the root's writer.
    func vacuum() throws
}
