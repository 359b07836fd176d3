import Synchronization

/// Values that other targets of the package keep as long as a stack lives, one for each type.
package final class StackStorage: Sendable {
    private let values = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])

    /// Returns the value of a type, which the first call creates.
    package func value<Value: AnyObject & Sendable>(
        of type: Value.Type, _ make: () -> Value
    ) -> Value {
        values.withLock { values in
            if let known = values[ObjectIdentifier(type)] as? Value { return known }
            let made = make()
            values[ObjectIdentifier(type)] = made
            return made
        }
    }
}
