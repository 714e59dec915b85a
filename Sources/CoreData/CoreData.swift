@_exported public import Foundation
@_exported public import OpenCoreData
@_exported public import OpenManagedMacros
@_exported public import OpenObjectiveCNames
public import class OpenPredicates.NSComparisonPredicate
public import class OpenPredicates.NSExpression

/// The expressions of this library; Foundation's class of the name is not available on this
/// platform.
///
/// A file that imports this module alone need not say which one is meant; one that imports
/// Foundation too says `import typealias CoreData.NSExpression`.
public typealias NSExpression = OpenPredicates.NSExpression

/// The comparison predicates of this library, as ``NSExpression``.
public typealias NSComparisonPredicate = OpenPredicates.NSComparisonPredicate
