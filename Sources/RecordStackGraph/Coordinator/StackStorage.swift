import Synchronization

/// What other targets of the package keep for as long as a stack lives, one value of each type.
package final class StackStorage: Sendable {
    private let values = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])

    /// The value of a type, made when it is first asked for.
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
