/// The version of a row: the row's incarnation and its number of updates.
///
/// Every update increments the number, so a save detects that another save changed the row since it
/// was read. A row that is re-inserted after its deletion gets an incarnation that no row of the
/// store had before, so an object read from the deleted row never matches the new one. Rows that
/// were inserted once have incarnation 0.
///
/// ```swift
/// if object.rowVersion < version { refresh(object) }
/// ```
///
/// The column `_version` stores `incarnation << 24 | number`, and versions compare as these
/// integers: of two rows with the same key, the later one has the larger version. After
/// 16,777,216 updates, a row's version carries into the next incarnation. The next re-insertion of
/// that row then takes a later incarnation.
package struct RowVersion: Hashable, Sendable {
    /// The value of the column `_version`; 0 if there is no row.
    package let column: Int64

    @inlinable
    package init(column: Int64) { self.column = column }

    /// - Parameter incarnation: 0 for a row that was inserted once; otherwise a value of the
    ///   store's counter, at most ``lastIncarnation``.
    package init(incarnation: Int64, number: Int64 = 1) {
        column = incarnation << Self.incarnationShift | number
    }

    /// The largest incarnation.
    ///
    /// It leaves room for 16,777,216 updates within the 48 bits of a version.
    @inlinable package static var lastIncarnation: Int64 { (1 << 24) - 2 }
    @usableFromInline static var incarnationShift: Int64 { 24 }

    /// The version of a row that does not exist.
    @inlinable package static var noRow: RowVersion { RowVersion(column: 0) }

    /// The version of a row that was just inserted for the first time.
    @inlinable package static var first: RowVersion { RowVersion(column: 1) }

    /// The value of the store's counter when the row was re-inserted.
    ///
    /// It is 0 for a row that was inserted once.
    @inlinable package var incarnation: Int64 { column >> Self.incarnationShift }

    /// True if a row can have this version.
    ///
    /// The versions after a valid one stay within 48 bits.
    @inlinable package var isValid: Bool {
        column > 0 && incarnation <= Self.lastIncarnation
    }

    /// The version after an update.
    @inlinable package var next: RowVersion { RowVersion(column: column + 1) }

    /// The version before the last update.
    @inlinable package var previous: RowVersion { RowVersion(column: column - 1) }

    /// Whether the row was ever re-inserted.
    package var isReinsertion: Bool { incarnation != 0 }

    /// Whether the row was re-inserted since it had the other version.
    package func isReinsertion(since other: RowVersion) -> Bool {
        other.incarnation < incarnation
    }
}

extension RowVersion: Comparable {
    @inlinable
    package static func < (left: RowVersion, right: RowVersion) -> Bool {
        left.column < right.column
    }
}
