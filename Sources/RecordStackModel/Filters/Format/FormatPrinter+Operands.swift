// Paths and values.
extension FormatPrinter {
    /// The binding strength of the operator around a value.
    enum Binding: Int {
        case free, sum, product, all
    }

    /// Returns an operand as text.
    ///
    /// - Parameter type: the type of the other operand, which determines the type of a constant.
    func operand(
        _ operand: FilterOperand, beside type: FormatType? = nil, in binding: Binding = .free
    ) throws -> String {
        switch operand {
        case .value(let value): return FormatValueText.text(value, beside: type)
        case .path(let path): return try text(of: path)
        case .aggregate(let aggregate): return try self.aggregate(aggregate)
        case .function(.real, let inner): return try real(inner)
        case .function(let function, let inner):
            let own = function.isNumeric ? type ?? .double : nil
            return "\(function.formatName):(\(try argument(inner, own)))"
        case .arithmetic(let operation, let a, let b):
            return try arithmetic(operation, a, b, beside: type, in: binding)
        }
    }

    private func real(_ inner: FilterOperand) throws -> String {
        if case .path = inner { return try operand(inner) + ".doubleValue" }
        return "(\(try argument(inner, .double))).doubleValue"
    }

    /// Returns an operand that stands alone, with a CAST if it is a constant Decimal.
    private func argument(_ inner: FilterOperand, _ type: FormatType?) throws -> String {
        if case .value(let value) = inner, type?.isDecimal == true {
            return FormatValueText.decimal(value)
        }
        return try operand(inner, beside: type)
    }

    private func arithmetic(
        _ operation: FilterArithmetic, _ a: FilterOperand, _ b: FilterOperand,
        beside type: FormatType?, in binding: Binding
    ) throws -> String {
        let isSum = operation == .add || operation == .subtract
        let own: Binding = operation == .modulo ? .free : isSum ? .sum : .product
        let tighter: Binding = operation == .modulo ? .free : isSum ? .product : .all
        let wanted = operation.wanted(beside: type)
        let left = try side(a, beside: b, operation, wanted, isLeft: true, own)
        let right = try side(b, beside: a, operation, wanted, isLeft: false, tighter)
        if operation == .modulo { return "modulus:by:(\(left), \(right))" }
        let text = "\(left) \(operation.rawValue) \(right)"
        return binding.rawValue > own.rawValue ? "(\(text))" : text
    }

    /// Returns one side of an operation, whose type depends on the other side.
    ///
    /// If the other side does not determine it, the type that the result should have does.
    private func side(
        _ operand: FilterOperand, beside other: FilterOperand, _ operation: FilterArithmetic,
        _ wanted: FormatType?, isLeft: Bool, _ binding: Binding
    ) throws -> String {
        let type = try self.type(of: other, wanted: wanted)
        if let wanted, operand.constant != nil, other.constant != nil {
            if wanted.isDecimal || (wanted.isDate && isLeft) {
                return try constant(operand, wanted, binding)
            }
        }
        guard type?.isDate == true else {
            // A number that is added to a date is a number of seconds.
            let own = wanted?.isDate == true && !isLeft ? FormatType.double : wanted
            return try self.operand(operand, beside: type ?? own, in: binding)
        }
        // Beside a date, a constant is a number of seconds. In a difference it is a date on the
        // left side, and on the right side if the result should be a number.
        let isDate = operation == .subtract && (!isLeft ? wanted?.isNumber == true : true)
        return try self.operand(operand, beside: isDate ? type : .double, in: binding)
    }

    private func constant(
        _ operand: FilterOperand, _ type: FormatType, _ binding: Binding
    ) throws -> String {
        if case .value(let value) = operand {
            return type.isDecimal
                ? FormatValueText.decimal(value) : FormatValueText.cast(value, type)
        }
        return try self.operand(operand, beside: type, in: binding)
    }

    // MARK: Names

    func text(of path: FilterPath) throws -> String {
        let names = try names(of: path)
        let start = start(of: path.scope)
        if let start { return ([start] + names).joined(separator: ".") }
        return names.isEmpty ? "SELF" : names.joined(separator: ".")
    }

    func text(of relation: FilterRelation) throws -> String {
        var entity = try self.entity(of: relation.scope)
        var names = try self.names(of: relation.steps, from: &entity)
        let relationships = relation.owner.relationships
        guard relationships.indices.contains(relation.relationship) else { throw foreignProperty }
        names.append(FormatName.text(relationships[relation.relationship].name))
        return ((start(of: relation.scope).map { [$0] } ?? []) + names).joined(separator: ".")
    }

    private func start(of scope: FilterScope) -> String? {
        guard case .member(let level) = scope else { return nil }
        if level == 0, let memberText { return memberText }
        return variable(level)
    }

    private func entity(of scope: FilterScope) throws -> EntityDescription {
        switch scope {
        case .root:
            guard let root else { throw foreignProperty }
            return root
        case .member(let level):
            guard members.indices.contains(members.count - 1 - level) else {
                throw Failure(message: RecordStackError.openScope.message)
            }
            return members[members.count - 1 - level]
        case .open: throw Failure(message: RecordStackError.openScope.message)
        }
    }

    func names(of path: FilterPath) throws -> [String] {
        var entity = try entity(of: path.scope)
        var names = try names(of: path.steps, from: &entity)
        if path.slot == FilterPath.keySlot {
            if !path.steps.isEmpty { names.append("objectID") }
            return names
        }
        guard entity.slots.indices.contains(path.slot) else { throw foreignProperty }
        names.append(FormatName.text(entity.slots[path.slot].name))
        return names
    }

    private func names(
        of steps: [FilterPath.Step], from entity: inout EntityDescription
    ) throws -> [String] {
        var names: [String] = []
        for step in steps {
            guard entity.slots.indices.contains(step.slot) else { throw foreignProperty }
            names.append(FormatName.text(entity.slots[step.slot].name))
            entity = step.destination
        }
        return names
    }

    private var foreignProperty: Failure {
        let name = root?.name ?? "any entity"
        return Failure(message: "The filter is not one of \(name): it names what \(name) has not.")
    }

    // MARK: Types

    /// Returns the type of an operand; nil for a constant.
    ///
    /// A constant takes the type of the other operand.
    ///
    /// - Parameter wanted: the type that the operand should have. Subtracting a number from a date
    ///   gives a date, or a number if the number is read as a date.
    func type(of operand: FilterOperand, wanted: FormatType? = nil) throws -> FormatType? {
        switch operand {
        case .value: return nil
        case .path(let path): return try type(of: path)
        case .function(let function, let inner):
            let type =
                try type(of: inner, wanted: .double)
                ?? inner.constant.map(FormatType.init(natural:))
            return type.flatMap(function.result)
        case .arithmetic(let operation, let a, let b):
            return try type(of: operation, a, b, wanted: wanted)
        case .aggregate(let aggregate):
            guard let operand = aggregate.operand else { return .wholeNumber }
            let isNumber = aggregate.kind == .sum || aggregate.kind == .average
            let inner = inside(aggregate.relation)
            let type =
                try inner.type(of: operand, wanted: isNumber ? .double : wanted)
                ?? operand.constant.map(FormatType.init(natural:))
            return type.flatMap(aggregate.kind.result)
        }
    }

    private func type(
        of operation: FilterArithmetic, _ a: FilterOperand, _ b: FilterOperand,
        wanted: FormatType?
    ) throws -> FormatType? {
        let wanted = operation.wanted(beside: wanted)
        let (first, second) = (try type(of: a, wanted: wanted), try type(of: b, wanted: wanted))
        if operation == .subtract, first?.isDate == true || second?.isDate == true {
            if first == nil || (second == nil && wanted?.isNumber == true) { return .double }
        }
        return FormatType.result(
            of: operation, Self.type(first, of: a, beside: second),
            Self.type(second, of: b, beside: first))
    }

    private static func type(
        _ known: FormatType?, of operand: FilterOperand, beside other: FormatType?
    ) -> FormatType {
        if let known { return known }
        guard let value = operand.constant else { return .string }
        switch value {
        case .null: return other.flatMap { $0.isDate ? nil : $0 } ?? .wholeNumber
        case .text: return other?.isDecimal == true ? .decimal : .string
        case .real where other?.isFloat == true: return .float
        default: return FormatType(natural: value)
        }
    }

    private func type(of path: FilterPath) throws -> FormatType {
        let entity = try path.steps.last?.destination ?? entity(of: path.scope)
        if path.slot == FilterPath.keySlot { return .object(entity) }
        guard entity.slots.indices.contains(path.slot) else { throw foreignProperty }
        let slot = entity.slots[path.slot]
        if let relationship = slot.relationship {
            return .object(entity.relationships[relationship].destination)
        }
        return FormatType(slot.type)
    }
}

extension FormatType {
    /// Creates the type of a stored value for which nothing else determines a type.
    init(natural value: StoredValue) {
        switch value {
        case .null, .text: self = .string
        case .integer: self = .wholeNumber
        case .real: self = .double
        case .blob: self.init(.data)
        }
    }
}

extension FilterArithmetic {
    /// Returns the type that the sides should have if the result should have `type`.
    fileprivate func wanted(beside type: FormatType?) -> FormatType? {
        switch self {
        case .add, .subtract: type
        case .multiply, .divide, .modulo: type?.isDecimal == true ? type : .double
        }
    }
}
