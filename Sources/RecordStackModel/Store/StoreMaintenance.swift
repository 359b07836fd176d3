/// What is done to a store as a whole.
package protocol StoreMaintenance: AnyObject, Sendable {
    /// - Throws: what keeps the store from being used in this process at all.
    func checkUsable() throws
    var statistics: StoreStatistics { get }
    /// The file; nil in memory.
    var path: String? { get }
    func size() throws -> StoreSize
    /// Everything that is wrong, up to a hundred problems of each kind.
    func problems() throws -> [StoreProblem]
    /// Copies the store as it is at one moment.
    /// - Parameter progress: told now and then how far it is; where it throws, nothing is left.
    func backUp(
        to path: String, replacing: Bool, progress: (BackupProgress) throws -> Void) throws
    /// Writes the store anew without gaps. Called by the root's writer.
    func vacuum() throws
}
