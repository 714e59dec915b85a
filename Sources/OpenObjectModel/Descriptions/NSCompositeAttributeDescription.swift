internal import Foundation

/// An attribute made of other attributes.
///
/// Holds what a model says of it; a model with a stored one cannot be used yet.
///
/// > Reference: Apple, NSCompositeAttributeDescription.
open class NSCompositeAttributeDescription: NSAttributeDescription {
  /// The attributes that it is made of, in order.
  public var elements: [NSAttributeDescription] = [] { didSet { checkMutable() } }

  /// Makes a composite attribute without elements.
  public override init() {
    super.init()
    type = .composite
  }
}
