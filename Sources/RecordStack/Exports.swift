// Programs need only one import. No other file uses `@_exported`.
@_exported public import RecordStackGraph
@_exported public import RecordStackImport
@_exported public import RecordStackModel
