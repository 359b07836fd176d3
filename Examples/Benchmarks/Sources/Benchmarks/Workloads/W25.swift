struct W25: Workload {
    let id = "W25"
    private static let readers = [1, 2, 4]

    func what(_ scale: Scale) -> String {
        "one writer, and 1, 2, 4 readers that fetch \(EmailWindows.width) rows by an index"
    }

    func unit(_ scale: Scale) -> Unit { .microseconds(each: 1) }

    var remark: String? {
        "Each figure is the time of a read, or of a write of one changed attribute, while all others read and write."
    }

    func comparisons(_ lab: Lab) async throws -> [Comparison] {
        let ours = try await OurCrowd(lab)
        let grdb = try GRDBCrowd(lab)
        return Self.readers.flatMap { count in
            let ourRush = Rush(of: ours, readers: count, seconds: lab.scale.rush)
            let theirs = Rush(of: grdb, readers: count, seconds: lab.scale.rush)
            return Throng.Figure.allCases.map { figure in
                Comparison(
                    Throng(of: ourRush, figure), against: Throng(of: theirs, figure),
                    label: "\(figure.rawValue)s, \(count): GRDB", gate: 1,
                    moonshot: figure == .read ? 0.77 : 1, roundedTo: 0.01)
            }
        }
    }

    // The floors have no readers and writers, so there are no peers to compare.
    func peers(_ lab: Lab) throws -> [any Contender] { [] }

    func expected(_ lab: Lab) -> Fingerprint { Fingerprint(of: lab.data.persons) }
}

/// Ranges of persons in the order of the unique text, from any position on.
struct EmailWindows: Sendable {
    static let width = 100

    private let emails: [String]

    init(_ lab: Lab) {
        emails = lab.data.persons.map(\.email).sorted {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
        }
    }

    func random(_ generator: inout SplitMix64) -> Range<String> {
        let start = Int.random(in: 0..<(emails.count - Self.width), using: &generator)
        return emails[start]..<emails[start + Self.width]
    }
}
