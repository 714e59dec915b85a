package import Foundation
internal import OpenPredicates

/// The document of a mapping model as Xcode's editor writes it: `xcmapping.xml` in an
/// `.xcmappingmodel` folder.
///
/// The document is an XML store with the editor's own objects: one mapping model, its entity
/// mappings, and their mappings of attributes and relationships. Expressions are keyed archives in
/// Base64; the document omits expressions that the editor generates. The document contains no
/// version hashes, because the hashes can be computed from the models. A
/// ``MappingDocumentCompiler`` later resolves the names of entities and properties.
package struct MappingDocument {
  /// An entity mapping.
  struct EntityMapping {
    var name: String?
    var sourceName: String?
    var destinationName: String?
    var typeName: String?
    var policyClassName: String?
    /// The format string of the predicate that source objects must satisfy; nil for all objects.
    var filter: String?
    /// The expression whose value is the source objects; nil if the editor generates it.
    var sourceExpression: OpenPredicates.NSExpression?
    var userInfo: [AnyHashable: Any]?
    var attributes: [PropertyMapping] = []
    var relationships: [PropertyMapping] = []
  }

  /// A property mapping.
  struct PropertyMapping {
    var name: String
    /// The expression that computes the value; nil if the editor generates it.
    var valueExpression: OpenPredicates.NSExpression?
    /// The key path of the value in the source object; nil for the property's name.
    var keyPath: String?
    /// The name of the entity mapping that creates the destinations; nil for the matching mapping.
    var mappingName: String?
    var userInfo: [AnyHashable: Any]?
  }

  /// The path of the source model in the editor's project; nil if the document contains none.
  package var sourceModelPath: String?
  /// The path of the destination model in the editor's project; nil if the document contains none.
  package var destinationModelPath: String?
  /// The entity mappings in order.
  var mappings: [EntityMapping] = []

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - data: The XML document.
  ///   - path: The path of the document, for error messages.
  /// - Throws: `ModelError` with code `.malformed` if the data is not the document of a mapping
  ///   model, or is damaged.
  package init(_ data: Data, path: String) throws(ModelError) {
    do {
      var reader = MappingDocumentReader()
      self = try reader.document(data)
    } catch {
      throw error.ofMappingModel(at: path)
    }
  }

  init() {}
}
