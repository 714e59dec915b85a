import OpenObjectModel

extension EntityMap {
  /// Returns the property with the given name. The name of an element of a composite attribute is
  /// its path.
  func property(named name: String) -> CompiledProperty? {
    entity.ordinal(of: name).map { entity.properties[$0] }
  }

  /// Returns the column of a property; nil for a property without a column or with several columns.
  func column(named name: String) -> String? {
    property(named: name)?.slot.map { columns[$0].name }
  }

  /// Returns the columns of properties, with the columns of all elements for a composite attribute;
  /// an empty array if one of the properties has no column.
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
