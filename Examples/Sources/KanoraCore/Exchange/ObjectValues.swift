import CoreData
import Foundation

/// The values of the library's objects as JSON.
///
/// Dates are seconds since January 1, 2001, and data is encoded in Base64. The value of a to-one relationship is the id of its destination.
enum ObjectValues {
  /// The entities, ordered so that objects follow the objects they belong to.
  static let entities = [
    "User", "Library", "Artist", "Album", "Track", "Playlist", "PlaylistItem", "Play", "BadFile",
  ]

  /// Returns the names of an entity's attributes and to-one relationships.
  static func names(of entity: NSEntityDescription) -> [String] {
    entity.attributesByName.keys
      + entity.relationshipsByName.filter { !$0.value.isToMany }.map(\.key)
  }

  /// Returns the names of the properties that identify an object of an entity.
  static func identity(ofEntity name: String) -> [String] {
    switch name {
    case "BadFile": ["path"]
    // Plays have no id. Two plays of the same track at the same time are the same play.
    case "Play": ["date", "track"]
    default: ["id"]
    }
  }

  /// Returns a value as JSON, or nil if there is none.
  static func json(_ value: Any?) -> Any? {
    switch value {
    case nil, is NSNull: nil
    case let object as NSManagedObject: (id(of: object) as? UUID)?.uuidString
    case let id as UUID: id.uuidString
    case let date as Date: date.timeIntervalSinceReferenceDate
    case let data as Data: data.base64EncodedString()
    case let data as NSData: data.base64EncodedString()
    default: value
    }
  }

  /// Returns the id of an object, which can be deleted.
  private static func id(of object: NSManagedObject) -> Any? {
    object.isDeleted
      ? object.committedValues(forKeys: ["id"])["id"] : object.value(forKey: "id")
  }

  /// Returns the value of an attribute from JSON, or nil if the JSON has another type.
  static func value(_ json: Any, of attribute: NSAttributeDescription) -> Any? {
    let number = json as? NSNumber
    let text = json as? String
    return switch attribute.attributeType {
    case .stringAttributeType: text
    case .UUIDAttributeType: text.flatMap(UUID.init(uuidString:))
    case .dateAttributeType: number.map { Date(timeIntervalSinceReferenceDate: $0.doubleValue) }
    case .integer16AttributeType: number.flatMap { Int16(exactly: $0.doubleValue) }
    case .integer32AttributeType: number.flatMap { Int32(exactly: $0.doubleValue) }
    case .integer64AttributeType: number.flatMap { Int64(exactly: $0.doubleValue) }
    case .doubleAttributeType: number?.doubleValue
    case .booleanAttributeType: number?.boolValue
    case .transformableAttributeType:
      attribute.name == "preferences"
        ? json as? NSDictionary ?? (json as? [String: Any]).map { $0 as NSDictionary }
        : text.flatMap { NSData(base64Encoded: $0) }
    default: nil
    }
  }
}
