package import Foundation
public import OpenPredicates

/// An attribute whose value a store computes when it saves.
///
/// Stores in SQLite keep the value true by triggers; read-only for programs.
///
/// > Reference: Apple, NSDerivedAttributeDescription.
open class NSDerivedAttributeDescription: NSAttributeDescription {
  /// The expression of the value: `author.name`, `canonical:(name)`, `pages.@count`, `now()`.
  public var derivationExpression: OpenPredicates.NSExpression? { didSet { checkMutable() } }
  /// Restricts what an aggregate counts; kept as compiled models hold it.
  package var filteringPredicate: NSPredicate? { didSet { checkMutable() } }
}
