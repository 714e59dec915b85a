internal import Foundation
internal import OpenObjectModel

// Composite attributes: dictionaries by element name, whose elements lie in columns of their own.

extension NSManagedObject {
  /// The dictionary of the elements that have values; nil when none has.
  final func compositeValue(
    _ property: CompiledProperty, _ attribute: CompiledAttribute
  ) -> Any? {
    Self.dictionary(of: attribute.elements.map { compiledEntity.properties[$0] }, in: property) {
      currentValue($0)
    }
  }

  /// The dictionary as last fetched or saved.
  final func committedComposite(_ property: CompiledProperty, _ elements: [Int]) -> Any? {
    Self.dictionary(of: elements.map { compiledEntity.properties[$0] }, in: property) {
      committedValue($0)
    }
  }

  private static func dictionary(
    of elements: [CompiledProperty], in composite: CompiledProperty,
    _ value: (CompiledProperty) -> Any?
  ) -> [String: Any]? {
    var dictionary: [String: Any] = [:]
    for element in elements {
      guard let value = value(element) else { continue }
      let path = element.name.dropFirst(composite.name.count + 1).split(separator: ".")
      insert(value, at: path.map(String.init)[...], into: &dictionary)
    }
    return dictionary.isEmpty ? nil : dictionary
  }

  private static func insert(
    _ value: Any, at path: ArraySlice<String>, into dictionary: inout [String: Any]
  ) {
    guard let first = path.first else { return }
    if path.count == 1 {
      dictionary[first] = value
      return
    }
    var inner = dictionary[first] as? [String: Any] ?? [:]
    insert(value, at: path.dropFirst(), into: &inner)
    dictionary[first] = inner
  }

  /// Sets all elements; those that the dictionary leaves out become nil.
  ///
  /// - Throws: `ObjectError` for a value that is no dictionary, an element that does not exist, or a value of
  ///   the wrong type; nothing is changed then.
  final func setComposite(
    _ value: Any?, _ property: CompiledProperty, _ attribute: CompiledAttribute
  ) throws {
    var given: [String: Any] = [:]
    switch value {
    case nil, is NSNull: break
    case let dictionary as [String: Any]: given = Self.flattened(dictionary, below: property.name)
    default: throw unacceptable(value, property, "dictionary")
    }
    let elements = attribute.elements.map { compiledEntity.properties[$0] }
    let names = Set(elements.map(\.name))
    if let unknown = given.keys.sorted().first(where: { !names.contains($0) }) {
      throw misuse("The composite attribute has no element \(unknown).", property.name)
    }
    for element in elements {
      guard let type = element.attribute?.type, let value = given[element.name] else { continue }
      if type != .transformable, AttributeConversion.value(value, as: type) == nil {
        throw unacceptable(value, element, "\(type)")
      }
    }
    for element in elements { try setCheckedValue(given[element.name], forKey: element.name) }
  }

  static func flattened(
    _ dictionary: [String: Any], below prefix: String
  ) -> [String: Any] {
    var flat: [String: Any] = [:]
    for (key, value) in dictionary {
      let path = prefix + "." + key
      if let inner = value as? [String: Any] {
        flat.merge(flattened(inner, below: path)) { first, _ in first }
      } else if !(value is NSNull) {
        flat[path] = value
      }
    }
    return flat
  }
}
