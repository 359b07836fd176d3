/// The version of a row: how often it was updated, and which of the rows that had its key it is.
///
/// Every update raises the number, so that a save finds out whether others have changed the row that it was made of.
/// A row that was deleted and is inserted again gets an incarnation that no row of the store had before: whoever holds
/// the deleted row never takes the new one for it. Rows that were inserted once have incarnation 0.
///
/// ```swift
/// if object.rowVersion < version { refresh(object) }
/// ```
///
/// In the column `_version` stands `incarnation << 32 | number`. The order is that in which the store gave versions
/// out, as long as fewer than 32,768 rows were inserted again in between.
package struct RowVersion: Hashable, Sendable {
    /// As it stands in the column `_version`; 0 where there is no row.
    package let column: Int64

    @inlinable
    package init(column: Int64) { self.column = column }

    /// - Parameter incarnation: 0 for a row that was inserted once; otherwise what the store's counter said, whose
    ///   last 16 bits are kept.
    package init(incarnation: Int64, number: Int64 = 1) {
        column = (incarnation % Self.incarnations) << Self.incarnationShift | number
    }

    /// How many incarnations are told apart.
    package static var incarnations: Int64 { 1 << 16 }
    @usableFromInline static var incarnationShift: Int64 { 32 }

    /// That of no row.
    @inlinable package static var noRow: RowVersion { RowVersion(column: 0) }

    /// That of a row that was just inserted, and never before.
    @inlinable package static var first: RowVersion { RowVersion(column: 1) }

    @usableFromInline var incarnation: Int64 { column >> Self.incarnationShift }

    /// Whether it can be a row's: what is counted up from the largest of these stays in its 32 bits.
    @inlinable package var isValid: Bool {
        UInt64(bitPattern: column) < 1 << 48
            && UInt32(truncatingIfNeeded: column) &- 1 < 0xFFFE_FFFF
    }

    /// The version after an update.
    @inlinable package var next: RowVersion { RowVersion(column: column + 1) }

    /// The version before the last update.
    @inlinable package var previous: RowVersion { RowVersion(column: column - 1) }

    /// Whether the row was deleted and inserted again at some time.
    package var isReturn: Bool { incarnation != 0 }

    /// Whether the row was deleted and inserted again since it had the other version.
    package func isReturn(since other: RowVersion) -> Bool {
        incarnation != other.incarnation && other < self
    }
}

extension RowVersion: Comparable {
    @inlinable
    package static func < (left: RowVersion, right: RowVersion) -> Bool {
        if left.incarnation == right.incarnation { return left.column < right.column }
        return left.isOfEarlierRow(than: right)
    }

    /// A row that was inserted once comes before those that were inserted again. Their incarnations go round: the nearer way
    /// from one to the other leads forward.
    @usableFromInline
    func isOfEarlierRow(than other: RowVersion) -> Bool {
        if incarnation == 0 || other.incarnation == 0 { return incarnation == 0 }
        return Int16(truncatingIfNeeded: other.incarnation &- incarnation) > 0
    }
}
