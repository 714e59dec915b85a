internal import Foundation
internal import OpenObjectModel

/// The value of a composite attribute: a dictionary of its elements by name.
///
/// Each element has its own column.
struct CompositeValue {
  /// The attribute's name, with which the names of all its elements begin.
  private let name: String
  /// The elements that have values; a nested composite attribute is a nested dictionary.
  private(set) var dictionary: [String: Any]

  /// Creates the value from a dictionary.
  init(_ dictionary: [String: Any], named name: String) {
    self.name = name
    self.dictionary = dictionary
  }

  /// Collects the elements of an attribute; nil if no element has a value.
  init?(
    _ property: CompiledProperty, of entity: CompiledEntity, _ value: (CompiledProperty) -> Any?
  ) {
    self.init([:], named: property.name)
    for ordinal in property.attribute?.elements ?? [] {
      let element = entity.properties[ordinal]
      if let value = value(element) { set(value, element) }
    }
    if dictionary.isEmpty { return nil }
  }

  private mutating func set(_ value: Any, _ element: CompiledProperty) {
    let path = element.name.dropFirst(name.count + 1).split(separator: ".").map(String.init)
    Self.insert(value, at: path[...], into: &dictionary)
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

  /// The elements that have values, by property name.
  var elements: [String: Any] { Self.flattened(dictionary, below: name) }

  private static func flattened(_ dictionary: [String: Any], below prefix: String) -> [String: Any]
  {
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
