internal import Foundation

/// The names of composite attributes on which the columns of elements depend.
///
/// A column is named after its element, not after the composite attribute that contains the
/// element. If several elements of an entity have the same name, the order of their paths
/// determines their columns. Version hashes do not contain the names of composite attributes, so
/// two models with equal hashes can store the values of such elements in different columns.
extension NSManagedObjectModel {
  /// The paths of composite attributes' elements that have the same name as another element of
  /// their entity, keyed by entity name.
  ///
  /// Names are compared ignoring case. The key is the name of the entity that declares the
  /// elements, and the paths of each entity are sorted. Entities without such elements are omitted.
  package var ambiguousElementPaths: [String: [String]] {
    var ambiguous: [String: [String]] = [:]
    for entity in entities {
      let composites = entity.ownProperties.compactMap { property in
        property.isTransient ? nil : property as? NSCompositeAttributeDescription
      }
      let paths = composites.flatMap(\.leaves).map(\.path)
      let groups = Dictionary(grouping: paths) { path in
        path.split(separator: ".").last.map { $0.uppercased() } ?? ""
      }
      let shared = groups.values.filter { $0.count > 1 }.joined().sorted()
      if !shared.isEmpty { ambiguous[entity.name ?? ""] = shared }
    }
    return ambiguous
  }

  /// Returns the name of an entity that has the same version hash in both models, but stores the
  /// values of composite attributes' elements in different columns; nil if there is no such entity.
  package func entityWithRenamedComposites(in other: NSManagedObjectModel) -> String? {
    let (paths, otherPaths) = (ambiguousElementPaths, other.ambiguousElementPaths)
    let (known, otherKnown) = (entitiesByName, other.entitiesByName)
    return paths.keys.sorted().first { name in
      paths[name] != otherPaths[name] && known[name]?.versionHash == otherKnown[name]?.versionHash
    }
  }
}
