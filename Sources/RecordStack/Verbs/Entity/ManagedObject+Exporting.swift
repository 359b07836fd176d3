public import FoundationEssentials
public import RecordStackGraph
public import RecordStackImport
public import RecordStackModel

extension ManagedEntity where Self: ManagedObject {
    /// Returns the objects that match a condition, as JSON that an import can read.
    ///
    /// ```swift
    /// let data = try Person.exportJSON(in: context) { $0.isActive }
    /// ```
    ///
    /// The export writes each value under the first key that its property declares. The same
    /// objects always give the same text. If you pass no sort keys, the export sorts the objects by
    /// their identity. It sorts the members of an unordered relationship by their identity, too.
    /// The keys of an object have the order in which the properties are declared. If you import the
    /// text into an empty store and export it again, you get the same text.
    ///
    /// If an import could not read a property back, the export throws an error that names the
    /// property. It never leaves the property out silently: see <doc:Importing>. To check
    /// properties that share keys or have transforms, the export reads the text of each object
    /// again.
    ///
    /// - Parameters:
    ///   - filter: A filter that you built earlier. If you also pass a closure, objects must match
    ///     both.
    ///   - sortKeys: The sort order. By default, objects are sorted by their identity, or by ID if
    ///     the entity has no identity.
    ///   - context: The context of the objects. Its unsaved changes are included.
    ///   - options: The options, such as the properties to write and the layout of the text.
    ///   - condition: The condition. Without a condition, all objects match.
    /// - Throws: ``RecordStackError/Code/misuse`` for options that name an unknown property, and
    ///   for a value or a reference that an import could not read back. Also any error of a fetch.
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

    /// Writes the objects that match a condition to a JSON file.
    ///
    /// ```swift
    /// let count = try Person.exportJSON(to: url, in: context)
    /// ```
    ///
    /// The file contains the text that ``exportJSON(matching:sortedBy:in:options:where:)`` returns.
    /// The export writes the text in pieces, so memory use does not grow with the number of
    /// objects. The file appears only when it is complete, and then replaces any existing file.
    ///
    /// - Returns: The number of objects written.
    /// - Throws: Any error of ``exportJSON(matching:sortedBy:in:options:where:)``, and
    ///   ``RecordStackError/Code/io`` if the file cannot be written.
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

    /// Returns the object as JSON that an import can read.
    ///
    /// ```swift
    /// let data = try person.exportJSON()
    /// ```
    ///
    /// - Throws: Any error of ``exportJSON(matching:sortedBy:in:options:where:)``.
    public func exportJSON(options: ExportOptions = ExportOptions()) throws -> Data {
        var exporter = try Exporter(type(of: self).entityDescription, options)
        return Data(try exporter.writeAlone(self))
    }
}
