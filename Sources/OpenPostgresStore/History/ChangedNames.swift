import OpenObjectModel
import OpenStoreContract

/// The changed properties of a row as the history stores them: names with commas between.
///
/// Programs with different versions of the model write one history, and a name means the same to all of them.
enum ChangedNames {
  /// Returns the names of properties; an element of a composite attribute has the attribute's name.
  static func text(of changed: OrdinalSet, in entity: CompiledEntity) -> String {
    var names: [String] = []
    changed.forEach { ordinal in
      let property = entity.properties[ordinal]
      let name =
        property.isElement
        ? entity.properties.first { $0.attribute?.elements.contains(ordinal) == true }?.name
        : property.name
      if let name, !names.contains(name) { names.append(name) }
    }
    return names.joined(separator: ",")
  }

  /// Returns the properties that a text names; names of other versions of the model are omitted.
  static func ordinals(in text: String, of entity: CompiledEntity) -> OrdinalSet {
    var changed = OrdinalSet()
    for name in text.split(separator: ",") {
      if let ordinal = entity.ordinal(of: String(name)) { changed.insert(ordinal) }
    }
    return changed
  }

  /// Returns a text with the names of another version of the model; properties that this version lacks are omitted.
  static func renamed(_ text: String, _ names: [String: String]) -> String {
    text.split(separator: ",").compactMap { names[String($0)] }.joined(separator: ",")
  }
}
