internal import Foundation

/// An attribute that consists of other attributes.
///
/// The value is a dictionary whose keys are the names of the elements.
///
/// > Reference: Apple, NSCompositeAttributeDescription.
open class NSCompositeAttributeDescription: NSAttributeDescription {
  /// The elements in order; an element may itself be a composite attribute.
  public var elements: [NSAttributeDescription] = [] { didSet { checkMutable() } }

  /// Creates a composite attribute without elements.
  public override init() {
    super.init()
    type = .composite
  }

  /// A nested attribute with a value.
  package struct Leaf {
    /// The path from the name of the outermost composite attribute.
    package let path: String
    package let attribute: NSAttributeDescription
    /// The path of the innermost optional composite attribute that contains the attribute.
    let optionalPart: String?
  }

  /// The nested attributes with values.
  package var leaves: [Leaf] { leaves(at: name, within: nil, depth: 0) }

  /// Returns the nested attributes; the depth is limited, so that a cycle ends.
  private func leaves(at path: String, within outer: String?, depth: Int) -> [Leaf] {
    let optionalPart = isOptional ? path : outer
    return elements.flatMap { element -> [Leaf] in
      let inner = path + "." + element.name
      guard let composite = element as? NSCompositeAttributeDescription else {
        return [Leaf(path: inner, attribute: element, optionalPart: optionalPart)]
      }
      return depth < 16 ? composite.leaves(at: inner, within: optionalPart, depth: depth + 1) : []
    }
  }
}
