/// What a model document says of one entity, as far as its class goes.
struct EntityElement {
  /// The setting "Codegen" of the model editor.
  enum Codegen {
    case manual, category, classes

    /// The meaning of the XML attribute `codeGenerationType`.
    init(_ text: String?) {
      switch text {
      case "class": self = .classes
      case "category": self = .category
      default: self = .manual
      }
    }
  }

  let name: String
  /// As written, possibly with a module before the dot; nil for `NSManagedObject`.
  let representedClassName: String?
  let parentName: String?
  let codegen: Codegen
  let line: Int
  var attributes: [AttributeElement] = []
  var relationships: [RelationshipElement] = []
  var fetchedProperties: [FetchedPropertyElement] = []
}

/// What a model document says of one attribute.
struct AttributeElement {
  let name: String
  /// As written in the document, for example `Integer 32`.
  let type: String
  let usesScalar: Bool
  /// The class of a transformable attribute's values.
  let customClassName: String?
  let line: Int
}

/// What a model document says of one relationship.
struct RelationshipElement {
  /// What the property of a relationship holds.
  enum Form {
    case toOne, toMany, ordered
  }

  let name: String
  let form: Form
  let destinationName: String
  let line: Int
}

/// What a model document says of one fetched property.
struct FetchedPropertyElement {
  let name: String
  let destinationName: String
  let line: Int
}
