@_exported public import Foundation
@_exported public import OpenCoreData
@_exported public import OpenManagedMacros
@_exported public import OpenObjectiveCNames
public import class OpenPredicates.NSComparisonPredicate
public import class OpenPredicates.NSExpression

/// The expression class of this library. Foundation's class `NSExpression` is not available on this
/// platform.
///
/// In a file that imports only this module, the name is unambiguous. A file that also imports
/// Foundation selects this class with `import typealias CoreData.NSExpression`.
public typealias NSExpression = OpenPredicates.NSExpression

/// The comparison predicate class of this library.
///
/// A file that also imports Foundation selects this class with
/// `import typealias CoreData.NSComparisonPredicate`.
public typealias NSComparisonPredicate = OpenPredicates.NSComparisonPredicate
