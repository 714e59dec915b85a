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

  /// The nested attributes with values, each with its path from the name of the composite
  /// attribute.
  package var leaves: [(path: String, attribute: NSAttributeDescription)] {
    leaves(below: name, depth: 0)
  }

  /// Returns the nested attributes; the depth is limited, so that a cycle ends.
  private func leaves(
    below prefix: String, depth: Int
  ) -> [(path: String, attribute: NSAttributeDescription)] {
    elements.flatMap { element -> [(path: String, attribute: NSAttributeDescription)] in
      let path = prefix + "." + element.name
      guard let composite = element as? NSCompositeAttributeDescription else {
        return [(path, element)]
      }
      return depth < 16 ? composite.leaves(below: path, depth: depth + 1) : []
    }
  }
}
