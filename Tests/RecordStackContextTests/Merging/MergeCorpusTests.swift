import RecordStack
import TestSupport
import Testing

/// Compares merges of objects that two sides have changed with their recorded outcomes.
///
/// A line of a file names the property, the value that both sides started with, our change and the
/// other side's change. After the colon, the line shows our object: first after its context has
/// merged the other side's changes, then under each policy.
///
/// - `a,b,c` is the value in our context, in its parent and in a new context, if they differ.
/// - `a*` has changes. `a* on b` are changes with the base b.
/// - `!name: a*` is a conflict that the save or push threw, and the state of our object then.
/// - `a?` is a related object whose inverse is another object.
/// - In a `wide` case, each side also changes a property of its own. `a-mine` and `a-other` lack
///   that change.
/// - `a+given` has the value that a custom policy returns if the property of the case is a
///   relationship.
///
/// `RECORDSTACK_RECORD=1 swift test --filter MergeCorpusTests` rewrites the files.
@Suite("Recorded merges") struct MergeCorpusTests {
    @Test(arguments: MergeWay.allCases)
    func `merging two changes of an object gives the values in a recorded file`(way: MergeWay)
        throws
    {
        var lines = ["# \(way.rawValue). \(Self.legend(of: way))"]
        for isWide in [false, true] {
            for property in MergedProperty.whole {
                lines += try Self.lines(
                    way, property, MergeCase.all(isWhole: true, isWide: isWide))
            }
        }
        if way == .save || way == .push {
            for property in MergedProperty.others {
                lines += try Self.lines(
                    way, property, MergeCase.all(isWhole: false, isWide: false))
            }
        }
        let difference = try RecordedLines(way.file).difference(from: lines)
        #expect(difference == nil, "\(difference ?? "")")
    }

    private static func legend(of way: MergeWay) -> String {
        let columns = (way.isMerged ? ["heard of"] : []) + MergeWay.policies.map(\.name)
        return "property, base, ours, theirs: " + columns.joined(separator: " | ")
    }

    private static func lines(
        _ way: MergeWay, _ property: MergedProperty, _ all: [MergeCase]
    ) throws -> [String] {
        let cases = all.filter { !way.isAgainstParent || $0.theirs != .bringsBack }
        var columns: [[String]] = []
        for (name, policy) in MergeWay.policies {
            let scene = try MergeScene(way, property, cases)
            try scene.change()
            if way.isMerged {
                let merged = try scene.merged()
                if name == MergeWay.policies[0].name { columns.append(merged) }
            }
            columns.append(try scene.decided(by: policy))
        }
        return cases.indices.map { place in
            cases[place].text(of: property) + ": "
                + columns.map { $0[place] }.joined(separator: " | ")
        }
    }
}
