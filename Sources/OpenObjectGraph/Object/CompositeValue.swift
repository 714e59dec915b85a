internal import Foundation
internal import OpenObjectModel

/// The value of a composite attribute: a dictionary of its elements by name.
///
/// Each element has its own column.
struct CompositeValue {
  /// The attribute's name, with which the names of all its elements begin.
  private let name: String
  /// The entity that has the attribute.
  private let entity: CompiledEntity
  /// The elements that have values; a nested composite attribute is a nested dictionary.
  private(set) var dictionary: [String: Any]

  /// Creates the value from a dictionary.
  init(_ dictionary: [String: Any], named name: String, of entity: CompiledEntity) {
    self.name = name
    self.entity = entity
    self.dictionary = dictionary
  }

  /// Collects the elements of an attribute; nil if no element has a value.
  init?(
    _ property: CompiledProperty, of entity: CompiledEntity, _ value: (CompiledProperty) -> Any?
  ) {
    self.init([:], named: property.name, of: entity)
    for ordinal in property.attribute?.elements ?? [] {
      let element = entity.properties[ordinal]
      if let value = value(element) { set(value, element) }
    }
    if dictionary.isEmpty { return nil }
  }

  private mutating func set(_ value: Any, _ element: CompiledProperty) {
    set(value, at: String(element.name.dropFirst(name.count + 1)))
  }

  /// Sets an element.
  ///
  /// - Parameters:
  ///   - value: The new value; nil for null.
  ///   - path: The names of the element and of the elements that contain it, separated by dots.
  mutating func set(_ value: Any?, at path: String) {
    let steps = path.split(separator: ".").map(String.init)
    Self.insert(value ?? NSNull(), at: steps[...], into: &dictionary)
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

  /// Returns whether the dictionary contains null for an element, or for a composite element that
  /// contains the element.
  func hasNull(_ element: CompiledProperty) -> Bool {
    var value: Any? = dictionary
    for key in element.name.dropFirst(name.count + 1).split(separator: ".") {
      guard let inner = value as? [String: Any] else { break }
      value = inner[String(key)]
    }
    return value is NSNull
  }

  /// Returns whether one of the values, by property name, belongs to the innermost optional
  /// composite attribute that contains an element.
  ///
  /// A required element must have a value only in this case.
  static func hasValue(
    in values: [String: Any], beside element: CompiledProperty, of entity: CompiledEntity
  ) -> Bool {
    guard let group = entity.optionalGroup(of: element) else { return !values.isEmpty }
    return group.contains { values[$0.name] != nil }
  }

  /// Adds null for the required elements of an attribute that have no value, because an omitted
  /// element receives its default value.
  mutating func addNulls(for attribute: CompiledAttribute) {
    let values = elements
    for element in attribute.elements.map({ entity.properties[$0] })
    where !element.isOptional && values[element.name] == nil {
      if Self.hasValue(in: values, beside: element, of: entity) { set(NSNull(), element) }
    }
  }

  /// The elements that have values, by property name.
  var elements: [String: Any] { flattened(dictionary, below: name) }

  private func flattened(_ dictionary: [String: Any], below prefix: String) -> [String: Any] {
    var flat: [String: Any] = [:]
    for (key, value) in dictionary {
      let path = prefix + "." + key
      // The value of a transformable element may be a dictionary, too.
      if let inner = value as? [String: Any], entity.ordinal(of: path) == nil {
        flat.merge(flattened(inner, below: path)) { first, _ in first }
      } else if !(value is NSNull) {
        flat[path] = value
      }
    }
    return flat
  }
}
