/// The Swift types that Xcode writes for attributes.
///
/// Objects are always optional, whatever the model says: a new object may lack them until it is saved.
enum AttributeSwiftType {
  /// The type of an attribute's property; nil when its custom class cannot be a type.
  static func text(for attribute: AttributeElement) -> String? {
    if attribute.usesScalar, let scalar = scalars[attribute.type] { return scalar }
    if attribute.type == "Transformable", let custom = attribute.customClassName {
      return isType(custom) ? "\(custom)?" : nil
    }
    return objects[attribute.type] ?? "NSObject?"
  }

  private static let scalars = [
    "Integer 16": "Int16", "Integer 32": "Int32", "Integer 64": "Int64", "Double": "Double",
    "Float": "Float", "Boolean": "Bool", "Date": "TimeInterval",
  ]

  private static let objects = [
    "Integer 16": "NSNumber?", "Integer 32": "NSNumber?", "Integer 64": "NSNumber?",
    "Double": "NSNumber?", "Float": "NSNumber?", "Boolean": "NSNumber?",
    "Decimal": "NSDecimalNumber?", "String": "String?", "Date": "Date?", "Binary": "Data?",
    "Binary Data": "Data?", "UUID": "UUID?", "URI": "URL?", "ObjectID": "NSManagedObjectID?",
    "Composite": "[String: Any]?",
  ]

  /// Whether a text can only be a type: names with dots, generic arguments, and brackets that match.
  ///
  /// Nothing else gets into the source, because the text is written by whoever made the model.
  private static func isType(_ text: String) -> Bool {
    var open: [Character] = []
    var hasName = false
    for character in text {
      switch character {
      case "<": open.append(">")
      case "[": open.append("]")
      case ">", "]":
        guard open.popLast() == character else { return false }
      case ".", " ", "?", "&": continue
      case ",", ":":
        guard !open.isEmpty else { return false }
      case _ where character.isLetter || character.isNumber || character == "_": hasName = true
      default: return false
      }
    }
    return open.isEmpty && hasName && text.first?.isNumber != true
  }
}
