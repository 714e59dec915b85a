internal import Foundation

/// An attribute whose value a store computes when it saves.
///
/// Holds what a model says of it; stores that do not compute keep it as an ordinary attribute.
///
/// > Reference: Apple, NSDerivedAttributeDescription.
open class NSDerivedAttributeDescription: NSAttributeDescription {
  /// The expression that gives the value, as text: `author.name`, `pages.@count`, `now()`.
  ///
  /// An addition: what a model document says, before it becomes an expression.
  public var derivationFormat: String? { didSet { checkMutable() } }
}
