internal import Foundation
internal import OpenObjectModel

/// Converts the value of a composite attribute for the composite attribute of another model.
enum MigratedElements {
  /// Returns the value of a destination attribute; nil if no element of the source is an element of
  /// the destination.
  ///
  /// The elements receive the values of the matched source elements. A required element without a
  /// value receives its default value.
  ///
  /// - Parameters:
  ///   - value: The value of the source; a composite attribute has a dictionary.
  ///   - source: The attribute with the value; nil for a value that already has the names of the
  ///     destination's elements.
  ///   - destination: The attribute or element that receives the value.
  static func value(
    _ value: Any, from source: NSAttributeDescription?, to destination: NSAttributeDescription
  ) -> Any? {
    guard let elements = value as? [String: Any],
      let composite = destination as? NSCompositeAttributeDescription
    else { return value is NSNull ? nil : value }
    let match = source.flatMap { NamedMatch<NSAttributeDescription>(elementsOf: $0, composite) }
    if let match, match.pairs.isEmpty { return nil }
    // The object rejects elements that the destination does not have.
    var migrated = match == nil ? elements : [:]
    for element in composite.elements {
      let origin = match?.pairs.first { $0.destination === element }?.source
      let name = match == nil ? element.name : origin?.name
      var given = name.flatMap { elements[$0] }
      if let found = given { given = Self.value(found, from: origin, to: element) }
      if given == nil, !element.isOptional { given = defaultValue(of: element) }
      migrated[element.name] = given
    }
    return migrated
  }

  /// Returns the default value of an attribute; for a composite attribute, the default values of
  /// its elements.
  static func defaultValue(of attribute: NSAttributeDescription) -> Any? {
    guard let composite = attribute as? NSCompositeAttributeDescription else {
      return attribute.defaultValue
    }
    let values = composite.elements.compactMap { element in
      defaultValue(of: element).map { (element.name, $0) }
    }
    if values.isEmpty { return nil }
    return Dictionary(values) { first, _ in first }
  }
}
