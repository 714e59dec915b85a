internal import Foundation
internal import OpenPredicates

/// Converts the Foundation collections in keyed archives to Swift arrays, sets and dictionaries.
enum ArchiveForm {
  /// Converts a Foundation value to a Swift type.
  ///
  /// - Throws: `ModelValueError` with code `.unreadable` if the value does not fit the type.
  static func value<Content>(_ type: Content.Type, from stored: Any) throws(ModelValueError)
    -> Content
  {
    if let content = stored as? Content { return content }
    if let collection = type as? any RebuiltCollection.Type {
      guard let content = try rebuilt(collection, stored) as? Content else { throw refused(type) }
      return content
    }
    if let value = OpenPredicates.Value(any: stored),
      let content = try ScalarForm.read(type, from: value)
    {
      return content
    }
    throw refused(type)
  }

  private static func rebuilt<Collection: RebuiltCollection>(
    _ type: Collection.Type, _ stored: Any
  ) throws(ModelValueError) -> Any { try Collection(rebuilding: stored) }

  static func refused(_ type: any Any.Type) -> ModelValueError {
    ModelValueError(
      .unreadable,
      "The store contains a value that is not of type \(type). Migrate the store, or change the type back."
    )
  }

  static func members(_ stored: Any, of type: any Any.Type) throws(ModelValueError) -> [Any] {
    switch stored {
    case let array as [Any]: return array
    case let array as NSArray: return array.map { $0 }
    case let set as NSSet: return set.allObjects
    case let set as NSOrderedSet: return set.array
    default: throw refused(type)
    }
  }
}

/// A Swift collection that can be created from a Foundation collection.
protocol RebuiltCollection {
  init(rebuilding stored: Any) throws(ModelValueError)
}

extension Array: RebuiltCollection {
  init(rebuilding stored: Any) throws(ModelValueError) {
    self = []
    for member in try ArchiveForm.members(stored, of: Self.self) {
      append(try ArchiveForm.value(Element.self, from: member))
    }
  }
}

extension Set: RebuiltCollection {
  init(rebuilding stored: Any) throws(ModelValueError) {
    self = []
    for member in try ArchiveForm.members(stored, of: Self.self) {
      insert(try ArchiveForm.value(Element.self, from: member))
    }
  }
}

extension Dictionary: RebuiltCollection {
  init(rebuilding stored: Any) throws(ModelValueError) {
    self = [:]
    guard let entries = stored as? [AnyHashable: Any] else { throw ArchiveForm.refused(Self.self) }
    for (key, value) in entries {
      let key = try ArchiveForm.value(Key.self, from: key.base)
      self[key] = try ArchiveForm.value(Value.self, from: value)
    }
  }
}
