public import RecordStackModel

extension ManagedObject: FormatArgument {
    /// The object by its ID.
    public var formatValue: FormatValue { FormatValue(objectID) }
}
