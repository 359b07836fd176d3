public import FoundationEssentials
public import RecordStackGraph
public import RecordStackImport
public import RecordStackModel

extension ManagedEntity where Self: ManagedObject {
    /// Writes the objects for which a condition is true as JSON, in the way in which an import reads it.
    ///
    /// ```swift
    /// let data = try Person.exportJSON(in: context) { $0.isActive }
    /// ```
    ///
    /// Each value stands under the first key that is declared for it. The text is the same for the same objects: they
    /// come in the order of their identity, where none is given, members of no order in that of theirs, and keys in
    /// the order of their declaration. Imported into an empty store and exported again, it is the same text. What an import
    /// would not make of the text again is an error that names the property, never left out: see <doc:Importing>. Where
    /// properties share keys, or have transforms, each object's text is read again to find that out.
    ///
    /// - Parameters:
    ///   - sortKeys: what to sort by; without, the identity, or else the order of the IDs.
    ///   - context: whose objects; what is pending there counts.
    ///   - options: which properties; how far relationships are followed; how it is laid out.
    ///   - condition: which objects; all without one.
    /// - Throws: ``RecordStackError/Code/misuse`` for options that name what there is not, and for a value or a reference
    ///   that would not come back; what fetching throws.
    public static func exportJSON(
        matching filter: Filter = .all, sortedBy sortKeys: [SortKey<Self>] = [],
        in context: ManagedObjectContext,
        options: ExportOptions = ExportOptions(),
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Data {
        var data = Data()
        try context.exportJSON(request(filter, sortKeys, condition), options: options) {
            data += $0
        }
        return data
    }

    /// Writes the objects for which a condition is true into a file, as ``exportJSON(sortedBy:in:options:where:)``
    /// does, piece by piece: the memory does not grow with their number.
    ///
    /// ```swift
    /// let count = try Person.exportJSON(to: url, in: context)
    /// ```
    ///
    /// The file is there when it is complete; one that was there before is replaced then.
    /// - Returns: how many objects were written.
    /// - Throws: what writing the file throws, as well.
    @discardableResult
    public static func exportJSON(
        to file: URL, matching filter: Filter = .all,
        sortedBy sortKeys: [SortKey<Self>] = [], in context: ManagedObjectContext,
        options: ExportOptions = ExportOptions(),
        @FilterBuilder where condition: (FilterProxy<Self>) -> Filter = { _ in .all }
    ) throws -> Int {
        let writer = try ExportFile(file)
        let count = try context.exportJSON(request(filter, sortKeys, condition), options: options) {
            try writer.write($0)
        }
        try writer.finish()
        return count
    }

    /// Writes the object as JSON, in the way in which an import reads it.
    ///
    /// ```swift
    /// let data = try person.exportJSON()
    /// ```
    /// - Throws: what ``exportJSON(sortedBy:in:options:where:)`` throws.
    public func exportJSON(options: ExportOptions = ExportOptions()) throws -> Data {
        var exporter = try Exporter(type(of: self).entityDescription, options)
        return Data(try exporter.writeAlone(self))
    }
}
