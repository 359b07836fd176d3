import Synchronization

/// The values of a list in a filter.
///
/// A set tests whether a value is in the list. It is created when it is first needed.
package final class ValueList: Sendable {
    package let values: [StoredValue]
    private let set = Mutex<Folded?>(nil)

    private struct Folded {
        let options: TextOptions
        let values: Set<StoredValue>
    }

    /// Creates a list of values.
    ///
    /// - Parameter values: the values, without null.
    package init(_ values: [StoredValue]) {
        self.values = values
    }

    /// The number of values up to which comparing each of them is faster than using a set.
    private static let few = 4

    func contains(_ value: StoredValue, _ options: TextOptions) -> Bool {
        if value.isNull { return false }
        if options.isEmpty, values.count <= Self.few { return values.contains(value) }
        let wanted = value.folded(options)
        return set.withLock { set in
            if let set, set.options == options { return set.values.contains(wanted) }
            let made = Folded(
                options: options, values: Set(values.lazy.map { $0.folded(options) }))
            set = made
            return made.values.contains(wanted)
        }
    }
}

extension ValueList: Hashable {
    package static func == (lhs: ValueList, rhs: ValueList) -> Bool {
        lhs === rhs || lhs.values == rhs.values
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(values) }
}

extension ValueList: CustomStringConvertible {
    package var description: String { "\(values.map { "\($0)" })" }
}

extension StoredValue {
    /// Returns the value as it is compared with options: equal values become the same value.
    package func folded(_ options: TextOptions) -> StoredValue {
        guard !options.isEmpty, case .text(let text) = self else { return self }
        return .text(options.fold(text))
    }
}
