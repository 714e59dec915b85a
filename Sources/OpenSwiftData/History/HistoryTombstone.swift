internal import Foundation
internal import OpenObjectGraph
internal import OpenObjectModel

/// The preserved values of a deleted model.
///
/// The history preserves the properties with the option `.preserveValueOnDeletion`. A tombstone is
/// a sequence of the preserved values that are not `nil`. In a default store, the values are in the
/// order in which the model declares the properties.
///
/// > Concurrency: Any thread.
/// > Reference: Apple, HistoryTombstone.
public struct HistoryTombstone<Model: PersistentModel>: Sequence, Sendable {
  public typealias Element = Any

  // Invariant of the unchecked conformance: the values were decoded for the tombstone, no other
  // code refers to them, and they are only read.
  private struct Values: @unchecked Sendable {
    var byName: [String: Any] = [:]
    /// The names of the properties, in the order of the schema. A property may have no value.
    var names: [String] = []
  }

  private let values: Values

  /// Creates the tombstone of a model that was deleted from a custom store.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameter values: The preserved properties and their values; empty if the store preserves no
  ///   values. Iterating over the tombstone returns the values in this order. The initializer
  ///   ignores key paths that do not refer to persisted properties. If a property occurs several
  ///   times, the last value applies.
  public init(_ values: [(property: PartialKeyPath<Model>, value: any Sendable)] = []) {
    var kept = Values()
    for (property, value) in values {
      guard let name = ModelKeys.name(of: property, in: Model.self) else { continue }
      if !kept.names.contains(name) { kept.names.append(name) }
      kept.byName[name] = ModelCoding.unwrapped(value)
    }
    self.values = kept
  }

  init(_ change: NSPersistentHistoryChange) {
    var kept = Values()
    if let stored = change.tombstone {
      let reader = StoredValues(stored, of: change.changedObjectID.entity)
      for property in Schema.ownProperties(of: Model.self) {
        guard let value = reader.value(property.name, property.keypath) else { continue }
        kept.byName[property.name] = value
        kept.names.append(property.name)
      }
    }
    values = kept
  }

  /// The preserved value of a property; `nil` if the value was `nil` or if the history does not
  /// preserve the property.
  public subscript(keyPath: PartialKeyPath<Model>) -> (any Sendable)? {
    guard let name = ModelKeys.name(of: keyPath, in: Model.self), let value = values.byName[name]
    else { return nil }
    // `Sendable` is a marker protocol without a witness table, so the existential has the layout of
    // `Any`.
    let asSendable: (Any, (any Sendable).Type) -> any Sendable = unsafeBitCast(_:to:)
    return asSendable(value, (any Sendable).self)
  }

  /// The values with the names of their properties, in the order of the schema.
  var namedValues: [(name: String, value: Any)] {
    values.names.compactMap { name in values.byName[name].map { (name, $0) } }
  }

  public func makeIterator() -> AnyIterator<Any> {
    let values = values
    return AnyIterator(values.names.lazy.compactMap { values.byName[$0] }.makeIterator())
  }
}

/// Converts the values of a store to the types of a model's properties.
struct StoredValues {
  private let object: __ModelObject
  private let names: Set<String>

  /// Creates a converter for the values of one row.
  ///
  /// - Parameters:
  ///   - stored: The values by the names of their attributes. Elements of composite attributes have
  ///     dotted names.
  ///   - entity: The entity of the row.
  init(_ stored: [AnyHashable: Any], of entity: NSEntityDescription) {
    object = __ModelObject(entity: entity, insertInto: nil)
    var whole: [String: Any] = [:]
    for (name, value) in stored {
      guard let name = name as? String else { continue }
      Self.put(value, name.split(separator: ".").map(String.init)[...], into: &whole)
    }
    var names: Set<String> = []
    for (name, value) in whole where entity.propertiesByName[name] != nil {
      do {
        try object.setCheckedValue(value, forKey: name)
        names.insert(name)
      } catch {
        GraphLog.error("A preserved value of a deleted model cannot be read: \(error)")
      }
    }
    self.names = names
  }

  private static func put(_ value: Any, _ path: ArraySlice<String>, into whole: inout [String: Any])
  {
    guard let first = path.first else { return }
    if path.count == 1 {
      whole[first] = value
    } else {
      var part = whole[first] as? [String: Any] ?? [:]
      put(value, path.dropFirst(), into: &part)
      whole[first] = part
    }
  }

  /// Returns the value of a property in the property's own type; `nil` if there is no value, or if
  /// the value cannot be decoded.
  func value(_ name: String, _ keyPath: AnyKeyPath) -> Any? {
    guard names.contains(name), let stored = object.value(forKey: name) else { return nil }
    func open<Value>(_ type: Value.Type) -> Any? {
      if let value = stored as? Value { return ModelCoding.unwrapped(value) }
      do throws(ModelValueError) {
        let value = try ModelValues.decode(type, stored, name, of: object)
        return value.flatMap { ModelCoding.unwrapped($0) }
      } catch {
        GraphLog.error("A preserved value of a deleted model cannot be read: \(error)")
        return nil
      }
    }
    return _openExistential(type(of: keyPath).valueType, do: open)
  }
}
