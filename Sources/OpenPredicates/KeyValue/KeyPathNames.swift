internal import Synchronization

/// A type that provides the names of its properties for Swift key paths.
///
/// On this platform, key paths do not contain the names of properties.
package protocol KeyPathNaming {
  /// Returns the names of a key path's properties, separated by dots; nil if the type does not
  /// provide a name for a property.
  ///
  /// > Concurrency: Usable on any thread.
  static func name(ofKeyPath keyPath: AnyKeyPath) -> String?
}

/// A type whose values identify objects, such as SwiftData's `PersistentIdentifier`.
package protocol ObjectIdentifying {}

/// Finds the names of the properties in Swift key paths.
package enum KeyPathNames {
  /// Returns the names of a key path's properties, separated by dots; nil if a property has no
  /// name.
  ///
  /// > Concurrency: Usable on any thread.
  package static func name(of keyPath: AnyKeyPath) -> String? {
    if let type = type(of: keyPath).rootType as? any KeyPathNaming.Type {
      return type.name(ofKeyPath: keyPath)
    }
    return layers.withLock { $0 }.lazy.compactMap { $0.name(keyPath) }.first
      ?? ListedKeyPaths.name(of: keyPath)
  }

  /// Returns whether a type is a managed object class or a model class. In a predicate, a key path
  /// that starts at such a class and has no name is an error.
  ///
  /// > Concurrency: Usable on any thread.
  package static func areKnown(of type: Any.Type) -> Bool {
    type is any KeyPathNaming.Type || layers.withLock { $0 }.contains { $0.isObject(type) }
  }

  /// Returns whether stores encode the values of a key path as a whole. The members of such a value
  /// have no names.
  ///
  /// > Concurrency: Usable on any thread.
  package static func isEncoded(_ keyPath: AnyKeyPath) -> Bool {
    layers.withLock { $0 }.contains { $0.isEncoded(keyPath) }
  }

  /// Returns whether stores contain the members of a `RawRepresentable` type's values, and not the
  /// raw values.
  ///
  /// > Concurrency: Usable on any thread.
  package static func areMembersStored(of type: Any.Type) -> Bool {
    layers.withLock { $0 }.contains { $0.areMembersStored(type) }
  }

  /// Returns the name of the entity whose objects are the instances of a class and its subclasses;
  /// nil if the type has no entity.
  ///
  /// > Concurrency: Usable on any thread.
  package static func entity(of type: Any.Type) -> String? {
    layers.withLock { $0 }.lazy.compactMap { $0.entity(type) }.first
  }

  /// The functions that a higher layer provides for its own types.
  private struct Layer: Sendable {
    let name: @Sendable (AnyKeyPath) -> String?
    let isObject: @Sendable (Any.Type) -> Bool
    let entity: @Sendable (Any.Type) -> String?
    let isEncoded: @Sendable (AnyKeyPath) -> Bool
    let areMembersStored: @Sendable (Any.Type) -> Bool
  }

  private static let layers = Mutex<[Layer]>([])

  /// Registers the functions of a higher layer, such as the object graph or SwiftData; each layer
  /// calls this method once.
  ///
  /// - Parameters:
  ///   - isObject: Returns whether a type belongs to the layer.
  ///   - entity: Returns the name of the entity of a type; nil if the type has no entity.
  ///   - isEncoded: Returns whether stores encode the values of a key path as a whole.
  ///   - areMembersStored: Returns whether stores contain the members of a `RawRepresentable`
  ///     type's values, and not the raw values.
  ///   - name: Returns the names of a key path's properties, separated by dots; nil if a property
  ///     has no name.
  /// > Concurrency: Usable on any thread. The functions are called on the thread of each search.
  package static func add(
    isObject: @escaping @Sendable (Any.Type) -> Bool = { _ in false },
    entity: @escaping @Sendable (Any.Type) -> String? = { _ in nil },
    isEncoded: @escaping @Sendable (AnyKeyPath) -> Bool = { _ in false },
    areMembersStored: @escaping @Sendable (Any.Type) -> Bool = { _ in false },
    _ name: @escaping @Sendable (AnyKeyPath) -> String?
  ) {
    layers.withLock {
      $0.append(
        Layer(
          name: name, isObject: isObject, entity: entity, isEncoded: isEncoded,
          areMembersStored: areMembersStored))
    }
  }
}
