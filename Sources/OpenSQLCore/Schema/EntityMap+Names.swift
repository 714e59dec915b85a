import OpenObjectModel

extension EntityMap {
  /// The property of a name; an element of a composite attribute is named by its path.
  func property(named name: String) -> CompiledProperty? {
    entity.ordinal(of: name).map { entity.properties[$0] }
  }

  /// The column of a property by name; nil for one that has none, or several.
  func column(named name: String) -> String? {
    property(named: name)?.slot.map { columns[$0].name }
  }

  /// The columns of properties by name, those of its elements for a composite attribute; nothing
  /// if a property has no column.
  func columns(of names: [String]) -> [String] {
    var result: [String] = []
    for name in names {
      guard let property = property(named: name) else { return [] }
      let slots = property.slot.map { [$0] } ?? slots(of: property)
      if slots.isEmpty { return [] }
      result += slots.map { columns[$0].name }
    }
    return result
  }

  private func slots(of property: CompiledProperty) -> [Int] {
    property.attribute?.elements.compactMap { entity.properties[$0].slot } ?? []
  }
}
