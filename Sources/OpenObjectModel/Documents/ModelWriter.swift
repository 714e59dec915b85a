internal import Foundation
internal import OpenPredicates

/// Converts a model to the `contents` document of an `.xcdatamodel` folder, as Xcode writes it.
///
/// Entities, properties and all other elements are sorted by name. The writer throws for content
/// that documents cannot contain. Localized strings are not part of the document, but of separate
/// files.
struct ModelWriter {
  private var document = DocumentText()
  private var composites = CompositeNames()

  private init() {}

  /// Returns the document of a model.
  ///
  /// - Throws: `ModelError` with code `.unarchivable` if the model has content that documents
  ///   cannot contain.
  static func contents(of model: NSManagedObjectModel) throws(ModelError) -> Data {
    var writer = ModelWriter()
    try writer.composites.adopt(model)
    try writer.write(model)
    if let text = writer.document.unsayable {
      throw ModelError(
        .unarchivable,
        "Model documents cannot contain the control characters in \(text.debugDescription). Remove them."
      )
    }
    // Xcode writes no line break at the end of documents.
    return Data(writer.document.text.dropLast().utf8)
  }

  /// Returns whether a name precedes another, primarily ignoring case.
  static func precedes(_ first: String, _ second: String) -> Bool {
    let (one, two) = (first.lowercased(), second.lowercased())
    return one == two ? first < second : one < two
  }

  private mutating func write(_ model: NSManagedObjectModel) throws(ModelError) {
    let composites = composites
    let attributes: DocumentText.Attributes = [
      ("type", "com.apple.IDECoreDataModeler.DataModel"), ("documentVersion", "1.0"),
      ("lastSavedToolsVersion", "1"), ("minimumToolsVersion", "Automatic"),
      ("sourceLanguage", "Swift"),
      ("userDefinedModelVersionIdentifier", try versionIdentifier(of: model)),
    ]
    try document.element("model", attributes) { (document) throws(ModelError) in
      let entities = model.entities.sorted { Self.precedes($0.name ?? "", $1.name ?? "") }
      for entity in entities {
        try EntityWriter(entity: entity, composites: composites).write(to: &document)
      }
      for (name, template) in model.fetchTemplates.sorted(by: { Self.precedes($0.key, $1.key) }) {
        try FetchWriter.write(template, named: name, .template, to: &document)
      }
      for (name, members) in model.allConfigurations.sorted(by: { Self.precedes($0.key, $1.key) }) {
        document.element("configuration", [("name", name)]) { document in
          for name in members.compactMap(\.name).sorted(by: Self.precedes) {
            document.element("memberEntity", [("name", name)])
          }
        }
      }
      try composites.write(to: &document)
    }
  }

  private func versionIdentifier(of model: NSManagedObjectModel) throws(ModelError) -> String? {
    let identifiers = model.versionIdentifiers.compactMap { $0 as? String }
    guard identifiers.count == model.versionIdentifiers.count, identifiers.count < 2 else {
      throw ModelError(
        .unarchivable,
        "A model document can contain only one version identifier, which must be a string. Set versionIdentifiers to one string."
      )
    }
    return identifiers.first
  }
}
