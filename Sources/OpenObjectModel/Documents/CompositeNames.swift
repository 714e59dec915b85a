/// The composite types of a document, one for each distinct list of elements.
///
/// In models, each attribute contains its elements; in documents, an attribute names a type. The
/// type has the capitalized name of the first attribute with this type, and a number if that name
/// is taken.
struct CompositeNames {
  /// The type names, by the text of the elements.
  private var names: [String: String] = [:]
  private var types: [(name: String, attribute: NSCompositeAttributeDescription)] = []

  mutating func adopt(_ model: NSManagedObjectModel) throws(ModelError) {
    let entities = model.entities.sorted { ModelWriter.precedes($0.name ?? "", $1.name ?? "") }
    for entity in entities {
      for property in entity.ownProperties.sorted(by: { ModelWriter.precedes($0.name, $1.name) }) {
        guard let composite = property as? NSCompositeAttributeDescription else { continue }
        try adopt(composite, depth: 0)
      }
    }
  }

  /// Adds the type of a composite attribute, after the types of its elements.
  private mutating func adopt(
    _ composite: NSCompositeAttributeDescription, depth: Int
  ) throws(ModelError) {
    guard depth < NSCompositeAttributeDescription.depthLimit else {
      throw ModelError(
        .unarchivable,
        "Composite attributes are nested too deeply, or a composite attribute contains itself.",
        propertyName: composite.name)
    }
    for case let inner as NSCompositeAttributeDescription in composite.elements {
      try adopt(inner, depth: depth + 1)
    }
    let text = try text(of: composite)
    guard names[text] == nil else { return }
    let name = freeName(for: composite)
    names[text] = name
    types.append((name: name, attribute: composite))
  }

  private func freeName(for composite: NSCompositeAttributeDescription) -> String {
    let taken = Set(types.map(\.name))
    let wished = composite.name.prefix(1).uppercased() + composite.name.dropFirst()
    var (name, number) = (wished, 2)
    while taken.contains(name) {
      name = "\(wished)\(number)"
      number += 1
    }
    return name
  }

  /// Returns the name of an attribute's type.
  func name(of composite: NSCompositeAttributeDescription) throws(ModelError) -> String? {
    names[try text(of: composite)]
  }

  private func text(of composite: NSCompositeAttributeDescription) throws(ModelError) -> String {
    var document = DocumentText()
    try writeElements(of: composite, to: &document)
    return document.text
  }

  private func writeElements(
    of composite: NSCompositeAttributeDescription, to document: inout DocumentText
  ) throws(ModelError) {
    for element in composite.elements {
      try AttributeWriter(attribute: element, entityName: nil, composites: self)
        .write(to: &document)
    }
  }

  /// Writes the types to a document.
  func write(to document: inout DocumentText) throws(ModelError) {
    for type in types.sorted(by: { ModelWriter.precedes($0.name, $1.name) }) {
      try document.element("composite", [("name", type.name)]) { (document) throws(ModelError) in
        try writeElements(of: type.attribute, to: &document)
      }
    }
  }
}
