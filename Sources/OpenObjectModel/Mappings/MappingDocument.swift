package import Foundation
internal import OpenPredicates

/// The document of a mapping model as Xcode's editor writes it: `xcmapping.xml` in an `.xcmappingmodel` folder.
///
/// A value: what the document says, before the models are looked at. It is an XML store of the editor's own objects: one
/// mapping model, its entity mappings, and their mappings of attributes and relationships. Expressions are keyed archives in
/// Base64; those that the editor makes by itself are omitted. There are no version hashes: they follow from the models.
package struct MappingDocument {
  /// A mapping of an entity.
  struct EntityMapping {
    var name: String?
    var sourceName: String?
    var destinationName: String?
    var typeName: String?
    var policyClassName: String?
    /// The format of the predicate that source objects satisfy; nil for all.
    var filter: String?
    /// Gives the source objects, where the editor does not make the expression.
    var sourceExpression: OpenPredicates.NSExpression?
    var userInfo: [AnyHashable: Any]?
    var attributes: [PropertyMapping] = []
    var relationships: [PropertyMapping] = []
  }

  /// A mapping of a property.
  struct PropertyMapping {
    var name: String
    /// Gives the value, where the editor does not make the expression.
    var valueExpression: OpenPredicates.NSExpression?
    /// The path of the value from the source object; nil for the property's name.
    var keyPath: String?
    /// The entity mapping that gives the destinations; nil for the one that fits.
    var mappingName: String?
    var userInfo: [AnyHashable: Any]?
  }

  /// Where the source model was, in the project of the editor.
  package var sourceModelPath: String?
  /// Where the destination model was.
  package var destinationModelPath: String?
  /// The entity mappings in their order.
  var mappings: [EntityMapping] = []

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - data: The XML.
  ///   - path: Where it comes from, for error messages.
  /// - Throws: `ModelError` with code `.malformed` for a document of another kind, or a damaged one.
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
