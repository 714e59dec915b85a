package import OpenObjectModel
package import OpenStoreContract

/// The stored form of a row's changed properties in the history: their names, separated by commas.
///
/// Programs with different versions of the model write the same history. A name identifies the
/// property in all versions.
package enum ChangedNames {
  /// Returns the names of changed properties. For a changed element of a composite attribute, the
  /// text contains the name of the attribute.
  ///
  /// - Parameters:
  ///   - changed: The ordinals of the changed properties.
  ///   - entity: The entity of the changed row.
  package static func text(of changed: OrdinalSet, in entity: CompiledEntity) -> String {
    var names: [String] = []
    changed.forEach { ordinal in
      let property = entity.properties[ordinal]
      let name = (entity.composite(of: property) ?? property).name
      if !names.contains(name) { names.append(name) }
    }
    return names.joined(separator: ",")
  }

  /// Returns the properties with the names in a text. Names that the entity does not have are
  /// ignored.
  ///
  /// - Parameters:
  ///   - text: The names, separated by commas.
  ///   - entity: The entity of the changed row.
  package static func ordinals(in text: String, of entity: CompiledEntity) -> OrdinalSet {
    var changed = OrdinalSet()
    for name in text.split(separator: ",") {
      if let ordinal = entity.ordinal(of: String(name)) { changed.insert(ordinal) }
    }
    return changed
  }

  /// Returns a text with the new names of the properties. Properties without a new name are
  /// omitted.
  ///
  /// - Parameters:
  ///   - text: The stored form of the changed properties.
  ///   - names: The new names of the properties, by old name.
  package static func renamed(_ text: String, _ names: [String: String]) -> String {
    text.split(separator: ",").compactMap { names[String($0)] }.joined(separator: ",")
  }
}
