import RecordStack
import TestSupport

/// The graph of ``Knot``s as a set of edges, each stored at both of its ends.
struct PlainKnots: Equatable {
    var numbers: Set<Int> = []
    /// The ends of each relationship of each knot, in order if the relationship is ordered.
    private var ends: [Strand: [Int: [Int]]] = [:]

    func ends(of number: Int, _ strand: Strand) -> [Int] { ends[strand]?[number] ?? [] }

    /// Relates two knots, or clears the relationship if there is no other knot.
    mutating func relate(_ a: Int, _ strand: Strand, _ b: Int?) {
        if let b, ends(of: a, strand).contains(b) { return }
        if strand.isToOne, let old = ends(of: a, strand).first { unrelate(a, strand, old) }
        guard let b else { return }
        if let inverse = strand.inverse, inverse.isToOne, let old = ends(of: b, inverse).first {
            unrelate(b, inverse, old)
        }
        add(a, strand, b)
        if let inverse = strand.inverse { add(b, inverse, a) }
    }

    mutating func unrelate(_ a: Int, _ strand: Strand, _ b: Int) {
        ends[strand]?[a]?.removeAll { $0 == b }
        if let inverse = strand.inverse { ends[inverse]?[b]?.removeAll { $0 == a } }
    }

    private mutating func add(_ a: Int, _ strand: Strand, _ b: Int) {
        if ends(of: a, strand).contains(b) { return }
        ends[strand, default: [:]][a, default: []].append(b)
    }

    // MARK: Deleting

    struct Deletion: Equatable {
        struct Reference: Hashable {
            let number: Int
            let strand: Strand
        }

        var gone: Set<Int> = []
        /// The ends that deny the deletion, by the knot and the relationship whose rule denies it.
        var denied: [Reference: Set<Int>] = [:]
        var nullified: Set<Reference> = []
        /// The references that go on referring to deleted knots.
        var dangling: Set<Reference> = []
    }

    func deletion(of given: [Int], by rules: [DeleteRule]) -> Deletion {
        var deletion = Deletion()
        var waiting = given
        while let number = waiting.popLast() {
            guard deletion.gone.insert(number).inserted else { continue }
            for strand in Strand.allCases where rules[strand.rawValue] == .cascade {
                waiting += ends(of: number, strand)
            }
        }
        for strand in Strand.allCases {
            if rules[strand.rawValue] == .deny {
                for number in deletion.gone {
                    let staying = Set(ends(of: number, strand)).subtracting(deletion.gone)
                    if !staying.isEmpty {
                        deletion.denied[.init(number: number, strand: strand)] = staying
                    }
                }
            }
            for number in numbers.subtracting(deletion.gone) where strand.isToOne {
                guard let end = ends(of: number, strand).first, deletion.gone.contains(end) else {
                    continue
                }
                let reference = Deletion.Reference(number: number, strand: strand)
                switch strand.inverse.map({ rules[$0.rawValue] }) {
                case nil, .nullify: deletion.nullified.insert(reference)
                case .noAction: deletion.dangling.insert(reference)
                case .cascade, .deny: break
                }
            }
        }
        return deletion
    }

    mutating func remove(_ gone: Set<Int>) {
        numbers.subtract(gone)
        for strand in Strand.allCases {
            ends[strand] = ends[strand]?.filter { !gone.contains($0.key) }
                .mapValues { $0.filter { !gone.contains($0) } }
        }
    }

    /// Compares two graphs. It ignores the order of unordered relationships, and whether a knot had
    /// ends before.
    static func == (a: PlainKnots, b: PlainKnots) -> Bool {
        a.numbers == b.numbers
            && a.numbers.allSatisfy { number in
                Strand.allCases.allSatisfy { strand in
                    let (mine, others) = (a.ends(of: number, strand), b.ends(of: number, strand))
                    return strand == .steps ? mine == others : mine.sorted() == others.sorted()
                }
            }
    }

    func differences(from other: PlainKnots) -> [String] {
        numbers.symmetricDifference(other.numbers).map { "\($0) is on one side only" }
            + numbers.intersection(other.numbers).flatMap { number in
                Strand.allCases.compactMap { strand in
                    let (mine, others) = (ends(of: number, strand), other.ends(of: number, strand))
                    let isSame =
                        strand == .steps ? mine == others : mine.sorted() == others.sorted()
                    return isSame ? nil : "\(strand) of \(number): \(mine), not \(others)"
                }
            }
    }
}

extension PlainKnots: CustomStringConvertible {
    var description: String {
        Strand.allCases.flatMap { strand in
            numbers.sorted().compactMap { number in
                let ends = ends(of: number, strand)
                return ends.isEmpty ? nil : "\(strand) of \(number): \(ends)"
            }
        }.joined(separator: ", ")
    }
}

extension PlainKnots {
    /// Creates the graph that a context shows.
    init<List: RuleList>(_ knots: [Knot<List>]) {
        for knot in knots {
            numbers.insert(knot.number)
            for strand in Strand.allCases {
                let found: [Knot<List>] =
                    if strand.isToOne {
                        knot.end(strand).map { [$0] } ?? []
                    } else if strand == .steps {
                        Array(knot.steps)
                    } else {
                        Array(knot.many(strand))
                    }
                ends[strand, default: [:]][knot.number] = found.map(\.number)
            }
        }
    }
}
