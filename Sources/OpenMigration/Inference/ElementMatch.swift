internal import OpenObjectModel

/// Matches the elements of two composite attributes, including the elements of nested composite
/// attributes.
struct ElementMatch {
  /// An element with its path, which begins with the name of the attribute.
  struct Element {
    var path: String
    var attribute: NSAttributeDescription
  }

  /// The elements that both attributes have; a composite element precedes its own elements.
  private(set) var pairs: [(source: Element, destination: Element)] = []
  /// The paths of the source's elements without a destination. The elements of such an element are
  /// not listed.
  private(set) var removed: [String] = []

  /// Matches the elements of two properties. If one of them is not a composite attribute, there are
  /// no elements.
  init(_ source: NSPropertyDescription, _ destination: NSPropertyDescription) {
    join(source, source.name, destination, destination.name, depth: 0)
  }

  private mutating func join(
    _ source: NSPropertyDescription, _ sourcePath: String, _ destination: NSPropertyDescription,
    _ destinationPath: String, depth: Int
  ) {
    // A composite attribute may contain itself.
    guard depth <= NSCompositeAttributeDescription.depthLimit,
      let match = NamedMatch<NSAttributeDescription>(elementsOf: source, destination)
    else { return }
    removed += match.removed.map { sourcePath + "." + $0.name }
    for pair in match.pairs {
      let old = Element(path: sourcePath + "." + pair.source.name, attribute: pair.source)
      let new = Element(
        path: destinationPath + "." + pair.destination.name, attribute: pair.destination)
      pairs.append((old, new))
      join(old.attribute, old.path, new.attribute, new.path, depth: depth + 1)
    }
  }
}

extension NamedMatch where Thing == NSAttributeDescription {
  /// Matches the direct elements of two composite attributes; nil if one of the properties is not a
  /// composite attribute.
  init?(elementsOf source: NSPropertyDescription, _ destination: NSPropertyDescription) {
    guard let source = source as? NSCompositeAttributeDescription,
      let destination = destination as? NSCompositeAttributeDescription
    else { return nil }
    self.init(
      source.elements, destination.elements, name: \.name,
      identifier: { $0.renamingIdentifier ?? $0.name })
  }
}

extension MappingInference.EntityMatch {
  /// The names of attributes whose values are lost because the destination derives them, and the
  /// paths of the removed elements of composite attributes.
  var lostValues: [String] {
    properties.flatMap { pair -> [String] in
      if pair.destination is NSDerivedAttributeDescription,
        !(pair.source is NSDerivedAttributeDescription)
      {
        return [pair.source.name]
      }
      return ElementMatch(pair.source, pair.destination).removed
    }
  }
}
