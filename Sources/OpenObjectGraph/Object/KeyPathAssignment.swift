internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates

/// One assignment of a value to the property at the end of a dotted key path.
///
/// > Concurrency: Confined to the context's queue.
struct KeyPathAssignment {
  private let value: Any?
  /// The object at which the key path starts.
  private let object: NSManagedObject

  init(_ value: Any?, of object: NSManagedObject) {
    self.value = value
    self.object = object
  }

  /// Sets the property at the end of a key path; keys that lead to nil set nothing.
  func perform(at keyPath: String) {
    guard let dot = keyPath.firstIndex(of: ".") else {
      return object.setValue(value, forKey: keyPath)
    }
    let key = String(keyPath[..<dot])
    let rest = String(keyPath[keyPath.index(after: dot)...])
    let current = object.value(forKey: key)
    guard let ordinal = object.compiledEntity.ordinal(of: key),
      let attribute = object.compiledEntity.properties[ordinal].attribute,
      attribute.type == .composite
    else { return perform(at: rest, of: current) }
    var composite = CompositeValue(
      current as? [String: Any] ?? [:], named: key, of: object.compiledEntity)
    composite.addNulls(for: attribute)
    composite.set(value, at: rest)
    object.setValue(composite.dictionary, forKey: key)
  }

  /// Sets a property of an object, or of each object in a collection.
  private func perform(at keyPath: String, of owner: Any?) {
    if let owner = owner as? NSManagedObject {
      owner.setValue(value, forKeyPath: keyPath)
    } else if let members = owner.flatMap(Collections.members) {
      for member in members { perform(at: keyPath, of: member) }
    } else if owner != nil {
      object.reportMisuse(
        "The key path \(keyPath) starts at a value that has no properties.", nil)
    }
  }
}
