// Types in the declarations of SwiftData that are part of Foundation on Apple platforms. With these
// imports, an application needs only this module.

@_exported public import class OpenObjectGraph.UndoManager
@_exported public import class OpenObjectModel.NSSecureUnarchiveFromDataTransformer
@_exported public import struct OpenObjectModel.NSValueTransformerName
@_exported public import class OpenObjectModel.ValueTransformer
@_exported public import struct OpenPredicates.TextQuery
