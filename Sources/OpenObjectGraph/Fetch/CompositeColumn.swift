internal import OpenObjectModel
internal import OpenPredicates

/// A composite attribute, or a nested part of one, as columns of a fetch: one column for each
/// element.
struct CompositeColumn {
  /// The columns of the elements; never empty.
  let columns: [ProjectionRequest.Column]
  fileprivate let attribute: CompiledProperty
  /// The entity that has the attribute.
  fileprivate let entity: CompiledEntity
  /// The ordinals of the elements, in the order of `columns`.
  fileprivate let ordinals: [Int]
  /// The names from the attribute to the nested part; empty for the whole attribute.
  fileprivate let part: [String]

  /// Returns the elements that have values as a dictionary; nil if no element has a value.
  ///
  /// - Parameter content: Returns the value of the element with a position in `columns`.
  func value(_ content: (Int) -> Any?) -> [String: Any]? {
    let whole = CompositeValue(attribute, of: entity) { element in
      guard let index = ordinals.firstIndex(of: element.ordinal) else { return nil }
      return content(index)
    }
    var value = whole?.dictionary
    for name in part { value = value?[name] as? [String: Any] }
    return value
  }
}

extension PathResolver {
  /// Returns the columns of the composite attribute, or of the nested composite attribute, that a
  /// path names; nil for any other path.
  ///
  /// An enumeration is a composite attribute of one element, which has the attribute's name. The
  /// value of the element is the value of the enumeration, so the result is nil.
  func composite(_ segments: [String]) -> CompositeColumn? {
    var reached = entity
    for (index, segment) in segments.enumerated() {
      guard let ordinal = reached.ordinal(of: segment) else {
        if segment == "self" || segment == "SELF" { continue }
        return nil
      }
      let property = reached.properties[ordinal]
      guard let relationship = property.relationship else {
        return composite(property, of: reached, at: index, in: segments)
      }
      if relationship.isToMany { return nil }
      reached = reached.model.entities[relationship.destinationIndex]
    }
    return nil
  }

  private func composite(
    _ attribute: CompiledProperty, of reached: CompiledEntity, at index: Int,
    in segments: [String]
  ) -> CompositeColumn? {
    guard !attribute.isTransient else { return nil }
    let names = segments[index...]
    let prefix = names.joined(separator: ".") + "."
    let elements = (attribute.attribute?.elements ?? []).map { reached.properties[$0] }
      .filter { $0.name.hasPrefix(prefix) }
    guard let first = elements.first,
      elements.count > 1 || first.name != prefix + (names.last ?? "")
    else { return nil }
    let columns = elements.map { element in
      let own = element.name.split(separator: ".").map(String.init)
      let path = Array(segments[..<index]) + own
      return ProjectionRequest.Column(
        name: path.joined(separator: "."), node: .keyPath(path), type: nil, isExpression: false)
    }
    return CompositeColumn(
      columns: columns, attribute: attribute, entity: reached, ordinals: elements.map(\.ordinal),
      part: Array(names.dropFirst()))
  }
}
