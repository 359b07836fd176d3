// One import is enough for users. This is the only place with `@_exported`.
@_exported public import RecordStackGraph
@_exported public import RecordStackImport
@_exported public import RecordStackModel
