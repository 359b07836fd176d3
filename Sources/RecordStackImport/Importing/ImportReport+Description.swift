extension ImportReport: CustomStringConvertible {
    /// The counts on the first line, followed by one line for each problem.
    ///
    /// The first line has the form
    /// `7 rows: 3 inserted, 2 updated, 1 unchanged, 0 declined, 1 skipped; 0 deleted`.
    public var description: String {
        let numbers =
            "\(rows) rows: \(inserted) inserted, \(updated) updated, \(unchanged) unchanged, \(declined) declined, "
            + "\(skipped) skipped; \(deleted) deleted"
        return ([numbers] + problems.map { "  \($0)" }).joined(separator: "\n")
    }
}

extension ImportProgress: CustomStringConvertible {
    /// The progress as text, such as `1200 rows, 40 %`. No percentage if the total is unknown.
    public var description: String {
        "\(rows) rows" + (fraction.map { ", \(Int($0 * 100)) %" } ?? "")
    }
}
