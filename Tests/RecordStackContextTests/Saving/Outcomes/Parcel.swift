import RecordStack

@Entity final class Parcel: ManagedObject {
    /// By which a test knows it.
    @Attribute var name: String
    @Attribute(.unique) var code: String
    @Attribute(.range(0...100)) var weight: Int = 1
    @Attribute var note: String = ""
    @Relationship(inverse: \Parcel.contents) var container: Parcel?
    @Relationship var contents: ToMany<Parcel>
}

/// What a parcel is, or is to be.
struct ParcelRow: Equatable {
    var code: String
    var weight = 1
    var note = ""
    var container: String?
}

/// Parcels by name.
typealias ParcelRows = [String: ParcelRow]

extension ParcelRows {
    /// A line for each, to compare them by.
    var lines: [String] {
        map { "\($0) \($1.code) \($1.weight) “\($1.note)” \($1.container ?? "NULL")" }.sorted()
    }

    /// What is in a store at first.
    static var seed: ParcelRows {
        let names = Level.allCases.flatMap { ["\($0).edited", "\($0).deleted"] }
        return Dictionary(
            uniqueKeysWithValues: (names + ["shared", "taken"]).map { ($0, ParcelRow(code: $0)) })
    }
}

/// A context among a child and its parent.
enum Level: CaseIterable {
    case child, parent
}

/// What is wrong with a level's edits.
enum Flaw {
    /// A value breaks a rule.
    case invalid
    /// A value that must be unique is another's.
    case taken
}

/// What a level has changed: something of every kind. The child goes on with what it sees of its parent's.
struct Edits {
    let level: Level
    var flaw: Flaw?

    private var newCode: String { flaw == .taken ? "taken" : "\(level).new" }
    private var newWeight: Int { flaw == .invalid ? -1 : 1 }

    /// The parcels that it changes.
    var touched: [String] {
        let own = ["\(level).new", "\(level).edited", "\(level).deleted", "shared"]
        return level == .child ? own + ["parent.new"] : own
    }

    /// Changes what is not so yet, so that it may be done again and mends what was flawed.
    func carryOut(in context: ManagedObjectContext) throws {
        func find(_ name: String) throws -> Parcel? {
            try Parcel.findFirst(by: \.name, name, in: context)
        }
        let new =
            try find("\(level).new")
            ?? Parcel.create(in: context, name: "\(level).new", code: newCode)
        if new.code != newCode { new.code = newCode }
        if new.weight != newWeight { new.weight = newWeight }
        if let edited = try find("\(level).edited"), edited.weight != 2 { edited.weight = 2 }
        try find("\(level).deleted")?.delete()
        guard let shared = try find("shared") else { return }
        switch level {
        case .parent: if shared.note != "parent" { shared.note = "parent" }
        case .child:
            if shared.weight != 50 { shared.weight = 50 }
            guard let container = try find("parent.new") else { return }
            if container.note != "child" { container.note = "child" }
            if new.container !== container { new.container = container }
        }
    }

    /// The same, of what a level is expected to show.
    func apply(to rows: inout ParcelRows) {
        var new = rows["\(level).new"] ?? ParcelRow(code: newCode)
        (new.code, new.weight) = (newCode, newWeight)
        rows["\(level).edited"]?.weight = 2
        rows["\(level).deleted"] = nil
        switch level {
        case .parent: rows["shared"]?.note = "parent"
        case .child:
            rows["shared"]?.weight = 50
            if rows["parent.new"] != nil {
                rows["parent.new"]?.note = "child"
                new.container = "parent.new"
            }
        }
        rows["\(level).new"] = new
    }
}
