public import RecordStackModel

extension ManagedObject: FormatArgument {
    /// The object's ID, as an argument of a format string.
    public var formatValue: FormatValue { FormatValue(objectID) }
}
