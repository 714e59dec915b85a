package import Foundation
public import OpenPredicates

/// An attribute whose value a store computes during a save.
///
/// SQLite stores update the value with triggers; programs can only read the value.
///
/// > Reference: Apple, NSDerivedAttributeDescription.
open class NSDerivedAttributeDescription: NSAttributeDescription {
  /// The expression that computes the value, such as `author.name`, `canonical:(name)`,
  /// `pages.@count` or `now()`; nil until an expression is set.
  public var derivationExpression: OpenPredicates.NSExpression? { didSet { checkMutable() } }
  /// The predicate that restricts an aggregate; only `.mom` files contain such a predicate.
  package var filteringPredicate: NSPredicate? { didSet { checkMutable() } }
}
