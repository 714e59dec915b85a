package import Foundation
public import OpenPredicates

/// An attribute whose value a store computes during a save.
///
/// SQLite stores update the value with triggers. Programs can only read the value: a save does not
/// write a value that was assigned to the attribute of a saved object.
///
/// > Concurrency: Confined to one thread until the model is used; afterward, any thread may read
/// > the description.
/// > Reference: Apple, NSDerivedAttributeDescription. Differs: D-029.
open class NSDerivedAttributeDescription: NSAttributeDescription {
  /// The expression that computes the value, such as `author.name`, `canonical:(name)`,
  /// `pages.@count` or `now()`; nil until you set an expression.
  ///
  /// ``NSManagedObjectModel/compiled()`` throws `ModelError` with code `.unsupportedType` if stores
  /// cannot compute the expression, or if the expression's key path does not end at a stored
  /// attribute.
  public var derivationExpression: OpenPredicates.NSExpression? { didSet { checkMutable() } }
  /// The predicate that restricts an aggregate; nil for no predicate. Only `.mom` files contain
  /// such a predicate.
  ///
  /// Stores cannot compute an attribute with such a predicate, so
  /// ``NSManagedObjectModel/compiled()`` throws `ModelError` with code `.unsupportedType`.
  package var filteringPredicate: NSPredicate? { didSet { checkMutable() } }
}
