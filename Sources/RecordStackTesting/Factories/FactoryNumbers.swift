import RecordStackGraph
import RecordStackModel
import Synchronization

/// Counts the objects that factories have created in a stack, for each hierarchy of entities.
final class FactoryNumbers: Sendable {
    private let counts = Mutex<[ObjectIdentifier: Int]>([:])

    /// Returns the number of the next object of an entity in the stack of a context.
    static func next(for type: ManagedObject.Type, in context: ManagedObjectContext) -> Int {
        let root = type.entityDescription.root.typeIdentity
        return context.stackStorage.value(of: FactoryNumbers.self) { FactoryNumbers() }.counts
            .withLock {
                $0[root, default: 0] += 1
                return $0[root, default: 0]
            }
    }
}
