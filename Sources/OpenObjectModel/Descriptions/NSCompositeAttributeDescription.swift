internal import Foundation

/// An attribute that consists of other attributes.
///
/// The value is a dictionary whose keys are the names of the elements.
///
/// > Concurrency: Confined to one thread until the model is used; afterward, any thread may read
/// > the description.
/// > Reference: Apple, NSCompositeAttributeDescription.
open class NSCompositeAttributeDescription: NSAttributeDescription {
  /// The elements in order; empty by default. An element may itself be a composite attribute.
  ///
  /// In the following cases, ``NSManagedObjectModel/compiled()`` throws `ModelError`:
  /// - with code `.unsupportedType` if composite attributes are nested more than 16 levels deep, or
  ///   if a composite attribute contains itself or has no elements
  /// - with code `.duplicateName` if an element has no name or the same name as another element
  public var elements: [NSAttributeDescription] = [] { didSet { checkMutable() } }

  /// Creates a composite attribute without elements.
  public override init() {
    super.init()
    type = .composite
  }

  /// The maximum number of levels of composite attributes in one another.
  package static let depthLimit = 16

  /// Whether composite attributes are nested in more than 16 levels, for example because a
  /// composite attribute contains itself.
  var isTooDeep: Bool { isDeeper(than: Self.depthLimit) }

  private func isDeeper(than levels: Int) -> Bool {
    levels == 0
      || elements.contains { element in
        (element as? NSCompositeAttributeDescription)?.isDeeper(than: levels - 1) == true
      }
  }

  /// A nested attribute that is not itself a composite attribute.
  package struct Leaf {
    /// The path of the attribute, such as `address.city`, which begins with the name of the
    /// outermost composite attribute.
    package let path: String
    package let attribute: NSAttributeDescription
    /// The positions of the leaves of the innermost optional composite attribute that contains the
    /// attribute; nil if there is none.
    fileprivate(set) var optionalGroup: Range<Int>?
  }

  /// The nested attributes that are not themselves composite attributes, in order.
  package var leaves: [Leaf] {
    var leaves: [Leaf] = []
    addLeaves(to: &leaves, at: name, depth: 0)
    return leaves
  }

  /// Adds the nested attributes; the depth is limited, so that a cycle ends.
  private func addLeaves(to leaves: inout [Leaf], at path: String, depth: Int) {
    let first = leaves.count
    for element in elements {
      let inner = path + "." + element.name
      if let composite = element as? NSCompositeAttributeDescription {
        if depth < Self.depthLimit { composite.addLeaves(to: &leaves, at: inner, depth: depth + 1) }
      } else {
        leaves.append(Leaf(path: inner, attribute: element))
      }
    }
    guard isOptional else { return }
    let group = first..<leaves.count
    for position in group where leaves[position].optionalGroup == nil {
      leaves[position].optionalGroup = group
    }
  }
}
