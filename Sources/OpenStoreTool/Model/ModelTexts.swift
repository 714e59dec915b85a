import Foundation
import OpenObjectModel

/// Names of types and values of models, as Xcode's model editor spells them.
enum ModelTexts {
  private static let names: [NSAttributeDescription.AttributeType: String] = [
    .integer16: "Integer 16", .integer32: "Integer 32", .integer64: "Integer 64",
    .decimal: "Decimal", .double: "Double", .float: "Float", .string: "String",
    .boolean: "Boolean", .date: "Date", .binaryData: "Binary", .uuid: "UUID", .uri: "URI",
    .transformable: "Transformable", .objectID: "ObjectID", .composite: "Composite",
  ]

  static func typeName(_ attribute: NSAttributeDescription) -> String {
    names[attribute.type] ?? "Type \(attribute.type.rawValue)"
  }

  /// A default value; objects of transformers by their class only.
  static func value(_ value: Any?) -> OutputValue {
    switch value {
    case nil: .null
    case let flag as Bool: .bool(flag)
    case let date as Date:
      DateText.text(ofSecondsSinceReference: date.timeIntervalSinceReferenceDate)
        .map { .text($0) } ?? .real(date.timeIntervalSinceReferenceDate)
    case let data as Data: .text(data.base64EncodedString())
    case let number as any BinaryInteger: .integer(Int64(clamping: number))
    case let number as Double: .real(number)
    case .some(let other): .text("\(other)")
    }
  }
}
