import RecordStack

@Entity final class Parcel: ManagedObject {
    /// The name by which a test identifies the parcel.
    @Attribute var name: String
    @Attribute(.unique) var code: String
    @Attribute(.range(0...100)) var weight: Int = 1
    @Attribute var note: String = ""
    @Relationship(inverse: \Parcel.contents) var container: Parcel?
    @Relationship var contents: ToMany<Parcel>
}

/// The actual or expected values of a parcel.
struct ParcelRow: Equatable {
    var code: String
    var weight = 1
    var note = ""
    var container: String?
}

/// Parcels by name.
typealias ParcelRows = [String: ParcelRow]

extension ParcelRows {
    /// One line for each parcel, sorted, for comparisons.
    var lines: [String] {
        map { "\($0) \($1.code) \($1.weight) “\($1.note)” \($1.container ?? "NULL")" }.sorted()
    }

    /// The rows with which a store starts.
    static var seed: ParcelRows {
        let names = Level.allCases.flatMap { ["\($0).edited", "\($0).deleted"] }
        return Dictionary(
            uniqueKeysWithValues: (names + ["shared", "taken"]).map { ($0, ParcelRow(code: $0)) })
    }
}

/// The child or its parent.
enum Level: CaseIterable {
    case child, parent
}

/// The flaw in a level's edits.
enum Flaw {
    /// A value breaks a rule.
    case invalid
    /// Another object has the same value of a unique attribute.
    case taken
}

/// The edits of a level, with one of every kind. The child also edits an object of its parent.
struct Edits {
    let level: Level
    var flaw: Flaw?

    private var newCode: String { flaw == .taken ? "taken" : "\(level).new" }
    private var newWeight: Int { flaw == .invalid ? -1 : 1 }

    /// The parcels that the edits change.
    var touched: [String] {
        let own = ["\(level).new", "\(level).edited", "\(level).deleted", "shared"]
        return level == .child ? own + ["parent.new"] : own
    }

    /// Makes the edits that are still missing, so that a second call corrects the flaw.
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

    /// Makes the same edits in the rows that a level is expected to show.
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
