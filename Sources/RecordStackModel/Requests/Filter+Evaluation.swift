package import FoundationEssentials

/// What a filter is evaluated on in memory.
package protocol FilterSubject {
    var key: Int64 { get }
    func storedValue(at slot: Int) throws -> StoredValue
    /// The object that a to-one relationship leads to.
    func related(_ step: FilterPath.Step) throws -> Self?
}

extension FilterSubject {
    /// The value at a path; null where a step leads nowhere.
    package func storedValue(at path: FilterPath) throws -> StoredValue {
        var subject = self
        for step in path.steps {
            guard let next = try subject.related(step) else { return .null }
            subject = next
        }
        if path.slot == FilterPath.keySlot { return .integer(subject.key) }
        return try subject.storedValue(at: path.slot)
    }
}

extension Filter.Node {
    /// Whether the filter is true for an object.
    package func isTrue<Subject: FilterSubject>(for subject: Subject) throws -> Bool {
        switch self {
        case .constant(let value): return value
        case .not(let node): return try !node.isTrue(for: subject)
        case .and(let a, let b): return try a.isTrue(for: subject) && b.isTrue(for: subject)
        case .or(let a, let b): return try a.isTrue(for: subject) || b.isTrue(for: subject)
        case .isNull(let path): return try subject.storedValue(at: path).isNull
        case .compare(let path, let comparison, let value):
            let mine = try subject.storedValue(at: path)
            if mine.isNull { return comparison == .notEqual }
            return comparison.holds(mine.compare(to: value, path.collation))
        case .text(let path, let match, let text):
            guard case .text(let mine) = try subject.storedValue(at: path) else { return false }
            return match.holds(mine, text)
        case .among(let path, let values):
            let mine = try subject.storedValue(at: path)
            return !mine.isNull && values.contains { mine.compare(to: $0) == .same }
        case .leads(let path, let id):
            return try subject.storedValue(at: path) == .integer(id.key)
        case .invalid(let message): throw RecordStackError(.misuse, message)
        }
    }

    /// The filter as the store of a UUID answers it.
    /// - Throws: what is wrong with the filter, if anything is.
    package func resolved(in store: UUID) throws -> Filter.Node {
        switch self {
        case .not(let node): return .not(try node.resolved(in: store))
        case .and(let a, let b): return .and(try a.resolved(in: store), try b.resolved(in: store))
        case .or(let a, let b): return .or(try a.resolved(in: store), try b.resolved(in: store))
        case .leads(let path, let id):
            if id.storeUUID == store { return .compare(path, .equal, .integer(id.key)) }
            throw RecordStackError(
                .misuse,
                "A relationship was compared with \(id), which is of another store than \(store).",
                objectID: id)
        case .invalid(let message): throw RecordStackError(.misuse, message)
        case .constant, .isNull, .compare, .text, .among: return self
        }
    }

    /// Calls `body` for every path in the filter.
    package func forEachPath(_ body: (FilterPath) -> Void) {
        switch self {
        case .not(let node): node.forEachPath(body)
        case .and(let a, let b), .or(let a, let b):
            a.forEachPath(body)
            b.forEachPath(body)
        case .isNull(let path), .compare(let path, _, _), .text(let path, _, _),
            .among(let path, _), .leads(let path, _):
            body(path)
        case .constant, .invalid: break
        }
    }
}

extension Filter.TextMatch {
    /// Whether the bytes of one text begin with, or contain, those of the other.
    package func holds(_ text: String, _ part: String) -> Bool {
        let bytes = Array(text.utf8)
        let wanted = Array(part.utf8)
        switch self {
        case .hasPrefix: return bytes.starts(with: wanted)
        case .contains:
            guard bytes.count >= wanted.count else { return false }
            return (0...(bytes.count - wanted.count)).contains { start in
                bytes[start...].starts(with: wanted)
            }
        }
    }
}
