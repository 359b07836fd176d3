/// A number computed from bytes, which is the same in every run of every program.
///
/// The algorithm is FNV-1a with 64 bits. Its constants are from the
/// specification of its authors (draft-eastlake-fnv).
package struct StableDigest {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    package init() {}

    package mutating func add(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }

    package mutating func add(_ number: Int) { add(number: UInt64(bitPattern: Int64(number))) }

    private mutating func add(number: UInt64) {
        for shift in stride(from: 0 as UInt64, to: 64, by: 8) {
            add(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    package mutating func add(_ text: String) {
        add(text.utf8.count)
        for byte in text.utf8 { add(byte) }
    }

    package mutating func add(bytes: some Collection<UInt8>) {
        add(bytes.count)
        for byte in bytes { add(byte) }
    }

    package mutating func add(_ value: StoredValue) {
        switch value {
        case .null: add(0 as UInt8)
        case .integer(let number):
            add(1 as UInt8)
            add(number: UInt64(bitPattern: number))
        case .real(let number):
            add(2 as UInt8)
            add(number: number.bitPattern)
        case .text(let text):
            add(3 as UInt8)
            add(text)
        case .blob(let bytes):
            add(4 as UInt8)
            add(bytes: bytes)
        }
    }
}

// The digest of a request. The numbers and names of the cases must never change,
// because tokens are kept outside of the program.
extension StableDigest {
    mutating func add(_ node: Filter.Node) {
        switch node {
        case .constant(let value): add(value ? 10 as UInt8 : 11)
        case .not(let node): addAll(12, [node])
        case .and(let chain): add(13, chain)
        case .or(let chain): add(14, chain)
        case .isNull(let operand): addAll(15, [operand])
        case .compare(let a, let comparison, let b, let options):
            addAll(16, [a, b])
            add(comparison.rawValue)
            add(options.rawValue)
        case .text(let a, let match, let b, let options):
            addAll(17, [a, b])
            add(match.rawValue)
            add(options.rawValue)
        case .among(let operand, let list, let options):
            addAll(18, [operand])
            add(list.values.count)
            for value in list.values { add(value) }
            if !options.isEmpty { add(options.rawValue) }
        case .quantified(let quantifier, let relation, let node):
            addAll(quantifier == .any ? 19 : 20, [node])
            add(relation)
        case .refers(let path, let ids):
            add(21 as UInt8)
            add(path)
            for id in ids { add(id.description) }
        case .kept(let path, _):
            // A request that has tokens never contains this case.
            add(23 as UInt8)
            add(path)
        case .format(let format):
            // A request that has tokens never contains this case,
            // because its format strings were parsed.
            add(24 as UInt8)
            add(format.format)
        case .invalid(let message):
            add(22 as UInt8)
            add(message)
        }
    }

    /// Adds a chain as nested pairs of the operator: all operators first, and then the terms.
    private mutating func add(_ number: UInt8, _ chain: FilterChain) {
        for _ in 1..<chain.count { add(number) }
        chain.forEach { add($0) }
    }

    private mutating func addAll(_ number: UInt8, _ nodes: [Filter.Node]) {
        add(number)
        for node in nodes { add(node) }
    }

    private mutating func addAll(_ number: UInt8, _ operands: [FilterOperand]) {
        add(number)
        for operand in operands { add(operand) }
    }

    mutating func add(_ operand: FilterOperand) {
        switch operand {
        case .value(let value):
            add(30 as UInt8)
            add(value)
        case .path(let path):
            add(31 as UInt8)
            add(path)
        case .arithmetic(let operation, let a, let b):
            addAll(32, [a, b])
            add(operation.rawValue)
        case .function(let function, let operand):
            addAll(33, [operand])
            add(function.rawValue)
        case .aggregate(let aggregate):
            add(34 as UInt8)
            add(aggregate.kind.rawValue)
            add(aggregate.relation)
            if let operand = aggregate.operand { add(operand) }
            if let filter = aggregate.filter { add(filter) }
        }
    }

    private mutating func add(_ path: FilterPath) {
        add(path.scope)
        add(path.steps)
        add(path.slot)
    }

    private mutating func add(_ relation: FilterRelation) {
        add(relation.scope)
        add(relation.steps)
        add(relation.owner)
        add(relation.relationship)
    }

    private mutating func add(_ scope: FilterScope) {
        switch scope {
        case .root: add(-1)
        case .member(let level): add(level)
        case .open: add(-2)
        }
    }

    private mutating func add(_ steps: [FilterPath.Step]) {
        add(steps.count)
        for step in steps {
            add(step.slot)
            add(step.destination)
        }
    }

    /// Adds an entity with its properties, because filters refer to properties by slot and index.
    mutating func add(_ entity: EntityDescription) {
        add(entity.name)
        for slot in entity.slots { add(slot.name) }
        for relationship in entity.relationships { add(relationship.name) }
    }
}
