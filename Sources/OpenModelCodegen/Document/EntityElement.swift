/// The settings of an entity in a model document that concern its class.
struct EntityElement {
  /// The values of the setting "Codegen" in the model editor.
  enum Codegen {
    case manual, category, classes

    /// Creates a value from the XML attribute `codeGenerationType`.
    init(_ text: String?) {
      switch text {
      case "class": self = .classes
      case "category": self = .category
      default: self = .manual
      }
    }
  }

  let name: String
  /// The class name as written, possibly with a module before the dot; nil for `NSManagedObject`.
  let representedClassName: String?
  let parentName: String?
  let codegen: Codegen
  let line: Int
  var attributes: [AttributeElement] = []
  var relationships: [RelationshipElement] = []
  var fetchedProperties: [FetchedPropertyElement] = []

  /// The names of the properties that the entity itself declares.
  var propertyNames: [String] {
    attributes.map(\.name) + relationships.map(\.name) + fetchedProperties.map(\.name)
  }
}

/// The settings of an attribute in a model document.
struct AttributeElement {
  let name: String
  /// The type as written in the document, for example `Integer 32`.
  let type: String
  let usesScalar: Bool
  /// The class of a transformable attribute's values.
  let customClassName: String?
  let line: Int
}

/// The settings of a relationship in a model document.
struct RelationshipElement {
  /// The kind of value of a relationship.
  enum Form {
    case toOne, toMany, ordered
  }

  let name: String
  let form: Form
  let destinationName: String
  let line: Int
}

/// The settings of a fetched property in a model document.
struct FetchedPropertyElement {
  let name: String
  let destinationName: String
  let line: Int
}
