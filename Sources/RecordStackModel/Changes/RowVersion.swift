/// The version of a row. Every update makes it the next one, so that a save finds out whether others have changed the row
/// that it was made of.
///
/// ```swift
/// if object.rowVersion < version { refresh(object) }
/// ```
package struct RowVersion: Hashable, Comparable, Sendable {
    /// The number as it stands in the column `_version`; 0 where there is no row.
    package let number: Int64

    @inlinable
    package init(number: Int64) { self.number = number }

    /// That of no row.
    @inlinable package static var noRow: RowVersion { RowVersion(number: 0) }

    /// That of a row that was just inserted.
    @inlinable package static var first: RowVersion { RowVersion(number: 1) }

    @inlinable
    package static func < (left: RowVersion, right: RowVersion) -> Bool {
        left.number < right.number
    }

    /// Whether the number can be a row's. What is counted up from the largest of these stays far below the largest
    /// integer.
    @inlinable package var isValid: Bool { number > 0 && number < 1 << 62 }

    /// The version after an update.
    @inlinable package var next: RowVersion { RowVersion(number: number + 1) }

    /// The version before the last update.
    @inlinable package var previous: RowVersion { RowVersion(number: number - 1) }
}

// A row that was deleted and is inserted again.
extension RowVersion {
    /// What its version is ahead of the deleted row's: more than the versions that a row has while others keep what they
    /// have read of it.
    private static let gap: Int64 = 1 << 24

    /// The version of the row that is inserted again after this one was deleted.
    package var ofReturn: RowVersion { RowVersion(number: number + Self.gap) }

    /// The version of the deleted row, where this is that of a row that is to be inserted again.
    package var beforeReturn: RowVersion { RowVersion(number: number - Self.gap) }

    /// Whether the row was deleted and inserted again at some time.
    package var isReturn: Bool { number > Self.gap }

    /// Whether the row was deleted and inserted again since the other version, which was one of the row before.
    package func isReturn(since other: RowVersion) -> Bool {
        number - other.number >= Self.gap / 2
    }
}
