@_exported public import OpenBuiltInStores
@_exported public import OpenMigration
@_exported public import OpenObjectGraph
@_exported public import OpenObjectModel
@_exported public import OpenPredicates
