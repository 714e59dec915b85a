internal import Synchronization

/// A type whose properties can be named by Swift key paths. On this platform a key path does not provide the name
/// itself.
package protocol KeyPathNaming {
  /// The path by names with dots between; nil for a path that is not made of such properties.
  ///
  /// > Concurrency: Any thread.
  static func name(ofKeyPath keyPath: AnyKeyPath) -> String?
}

/// The names of the properties that Swift key paths refer to.
package enum KeyPathNames {
  /// The path by names with dots between; nil unless the types that the path leads over know their names.
  ///
  /// > Concurrency: Any thread.
  package static func name(of keyPath: AnyKeyPath) -> String? {
    if let type = type(of: keyPath).rootType as? any KeyPathNaming.Type {
      return type.name(ofKeyPath: keyPath)
    }
    return layers.withLock { $0 }.lazy.compactMap { $0.name(keyPath) }.first
      ?? ListedKeyPaths.name(of: keyPath)
  }

  /// Whether the properties of a type have names in stores, so that a key path without one is a mistake.
  ///
  /// > Concurrency: Any thread.
  package static func areKnown(of type: Any.Type) -> Bool {
    type is any KeyPathNaming.Type || layers.withLock { $0 }.contains { $0.isObject(type) }
  }

  /// Whether a key path gives values that stores keep encoded, so that their members have no names.
  ///
  /// > Concurrency: Any thread.
  package static func isEncoded(_ keyPath: AnyKeyPath) -> Bool {
    layers.withLock { $0 }.contains { $0.isEncoded(keyPath) }
  }

  /// The entity of a type's objects and those of its subclasses; nil where the type alone does not tell it.
  ///
  /// > Concurrency: Any thread.
  package static func entity(of type: Any.Type) -> String? {
    layers.withLock { $0 }.lazy.compactMap { $0.entity(type) }.first
  }

  /// What a higher layer knows about its own types.
  private struct Layer: Sendable {
    let name: @Sendable (AnyKeyPath) -> String?
    let isObject: @Sendable (Any.Type) -> Bool
    let entity: @Sendable (Any.Type) -> String?
    let isEncoded: @Sendable (AnyKeyPath) -> Bool
  }

  private static let layers = Mutex<[Layer]>([])

  /// Registers how a higher layer names key paths of its own types; called once by each layer.
  ///
  /// - Parameters:
  ///   - isObject: Whether a type is one of the layer's.
  ///   - entity: The entity of a type of the layer.
  ///   - isEncoded: Whether a key path gives values that stores keep encoded as a whole.
  ///   - name: The name of a key path, with dots between its steps.
  package static func add(
    isObject: @escaping @Sendable (Any.Type) -> Bool = { _ in false },
    entity: @escaping @Sendable (Any.Type) -> String? = { _ in nil },
    isEncoded: @escaping @Sendable (AnyKeyPath) -> Bool = { _ in false },
    _ name: @escaping @Sendable (AnyKeyPath) -> String?
  ) {
    layers.withLock {
      $0.append(Layer(name: name, isObject: isObject, entity: entity, isEncoded: isEncoded))
    }
  }
}
