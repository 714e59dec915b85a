// Types in SwiftData's declarations that belong to Foundation on Apple platforms, so that an application needs to import nothing
// but this module for them.

@_exported public import class OpenObjectGraph.UndoManager
@_exported public import struct OpenObjectModel.NSValueTransformerName
@_exported public import class OpenObjectModel.ValueTransformer
@_exported public import struct OpenPredicates.TextQuery
