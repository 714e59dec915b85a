/// Computes the expanded size of composite types before any type is read.
///
/// A type that contains other types several times grows exponentially with each level, so a short
/// document could require more attributes than fit in memory.
struct CompositeSizes {
  private let composites: [String: DocumentElement]
  private var sizes: [String: Int] = [:]
  private static let sizeLimit = 200_000

  /// Throws if composite attributes of a document have too many elements or are nested too deeply.
  static func check(
    _ entities: [DocumentElement], _ composites: [String: DocumentElement], path: String
  ) throws(ModelError) {
    guard !composites.isEmpty else { return }
    var sizes = CompositeSizes(composites: composites)
    var total = 0
    for entity in entities {
      for attribute in entity.children("attribute") {
        total += sizes.size(of: attribute, enclosing: []) ?? sizeLimit
        guard total < sizeLimit else {
          throw ModelError(
            .malformed, "The composite attributes of the document have too many elements.",
            entityName: entity["name"], propertyName: attribute["name"], path: path,
            line: attribute.line)
        }
      }
    }
  }

  private init(composites: [String: DocumentElement]) { self.composites = composites }

  /// Returns the number of attributes to which an attribute expands; nil if the number is too
  /// large.
  ///
  /// A type that contains itself is not counted, because reading it reports a separate error.
  private mutating func size(of attribute: DocumentElement, enclosing: [String]) -> Int? {
    guard attribute["attributeType"] == "Composite", let name = attribute["composite"],
      let type = composites[name], !enclosing.contains(name)
    else { return 1 }
    if let known = sizes[name] { return known }
    guard enclosing.count < NSCompositeAttributeDescription.depthLimit else { return nil }
    var total = 1
    for element in type.children("attribute") {
      guard let size = size(of: element, enclosing: enclosing + [name]) else { return nil }
      total += size
      guard total < Self.sizeLimit else { return nil }
    }
    sizes[name] = total
    return total
  }
}
