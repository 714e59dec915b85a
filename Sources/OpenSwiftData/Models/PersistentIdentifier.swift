internal import Foundation
internal import OpenObjectGraph
internal import OpenObjectModel
package import OpenPredicates

/// An identifier of a model that is valid in every context and on every thread.
///
/// Two identifiers are equal if they identify the same row of the same store. An unsaved model has
/// a temporary identifier, which the first save replaces. The encoded form is the same as in
/// Apple's framework. A decoded identifier is equal to the identifier that was encoded.
///
/// > Concurrency: Any thread.
/// > Reference: Apple, PersistentIdentifier.
public struct PersistentIdentifier: Hashable, Identifiable, Comparable, Codable, Sendable {
  /// The parts of an identifier.
  enum Form: Sendable {
    case object(NSManagedObjectID)
    /// An identifier that was decoded, that a custom store created, or that identifies an unsaved
    /// object of a custom store.
    indirect case named(store: String?, entity: String, key: String)
  }

  /// A hashable value that identifies the model in collections.
  public struct ID: Hashable, Sendable {
    let store: String?
    let entity: String
    let key: String
  }

  let form: Form

  private static let key = __ModelKey("objectID")

  init(_ id: NSManagedObjectID) {
    if let store = id.store as? CustomStore, store.isUnsaved(id) {
      // When the store saves the object, the object receives another key. The key and the hash of
      // this identifier must not change.
      form = .named(store: nil, entity: id.entity.name ?? "", key: store.primaryKey(of: id))
    } else {
      form = .object(id)
    }
  }

  @usableFromInline
  init(of object: __shared __ModelObject) {
    // A key path to the identifier is recorded as a key path to the object.
    if object.isDetached, KeyRecorder.isProbe(object) { KeyRecorder.record(Self.key, on: object) }
    self.init(object.objectID)
  }

  private init(store: String?, entity: String, key: String) {
    form = .named(store: store, entity: entity, key: key)
  }

  /// Creates the identifier of a row in a custom store.
  ///
  /// - Parameters:
  ///   - storeIdentifier: The identifier of the store.
  ///   - entityName: The name of the model's entity.
  ///   - primaryKey: The key of the row. Its `description` must be unique among the rows of the
  ///     entity.
  /// - Returns: The identifier.
  /// - Throws: ``SwiftDataError/unknownSchema`` if the entity name is empty.
  /// > Reference: Apple, identifier(for:entityName:primaryKey:).
  public static func identifier<Key: Comparable & CustomStringConvertible & Codable & Hashable>(
    for storeIdentifier: String, entityName: String, primaryKey: Key
  ) throws -> PersistentIdentifier {
    guard !entityName.isEmpty else {
      throw SwiftDataError(.unknownSchema, "An identifier requires an entity name.")
    }
    return PersistentIdentifier(
      store: storeIdentifier, entity: entityName, key: primaryKey.description)
  }

  // MARK: Parts

  public var id: ID { ID(store: storeIdentifier, entity: entityName, key: primaryKey) }

  /// The name of the model's entity.
  public var entityName: String {
    switch form {
    case .object(let id): id.entity.name ?? ""
    case .named(_, let entity, _): entity
    }
  }

  /// The identifier of the store; `nil` while the identifier is temporary.
  public var storeIdentifier: String? {
    switch form {
    case .object(let id): id.persistentStore?.identifier
    case .named(let store, _, _): store
    }
  }

  /// Whether the model was unsaved when the identifier was read.
  public var isTemporary: Bool {
    switch form {
    case .object(let id): id.isTemporaryID
    case .named(let store, _, _): store == nil
    }
  }

  /// The key of the row, which is also the last component of the URI.
  var primaryKey: String {
    switch form {
    case .object(let id):
      (id.store as? CustomStore)?.primaryKey(of: id) ?? id.uriRepresentation().lastPathComponent
    case .named(_, _, let key): key
    }
  }

  /// The identifier as a URI.
  var uriRepresentation: URL {
    switch form {
    case .object(let id):
      id.store is CustomStore
        ? Self.uri(storeIdentifier ?? "", entityName, primaryKey) : id.uriRepresentation()
    case .named(let store, let entity, let key): Self.uri(store ?? "", entity, key)
    }
  }

  private static func uri(_ store: String, _ entity: String, _ key: String) -> URL {
    let parts = [store, entity, key].map { part in
      part.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["-", "_", "."])) ?? ""
    }
    return URL(string: "x-coredata://\(parts.joined(separator: "/"))") ?? URL(fileURLWithPath: "/")
  }

  // MARK: Comparing

  public static func == (one: PersistentIdentifier, other: PersistentIdentifier) -> Bool {
    if case .object(let first) = one.form, case .object(let second) = other.form {
      if first.isTemporaryID, second.isTemporaryID {
        return first.uriRepresentation() == second.uriRepresentation()
      }
      if first == second { return true }
      // A custom store may identify an object differently from the container that inserted it, and
      // from the default store that it calls.
      guard first.store !== second.store,
        first.store is CustomStore || second.store is CustomStore
      else { return false }
    }
    return one.storeIdentifier == other.storeIdentifier && one.primaryKey == other.primaryKey
      && one.entityName == other.entityName
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(primaryKey) }

  /// Returns whether one identifier precedes another identifier.
  ///
  /// Identifiers are ordered by store, then by entity name, then by the key of the row. A key with
  /// fewer characters precedes a longer key, so that numbers are in numeric order.
  public static func < (one: PersistentIdentifier, other: PersistentIdentifier) -> Bool {
    if case .object(let first) = one.form, case .object(let second) = other.form,
      let isLess = first.isRow(before: second)
    {
      return isLess
    }
    let (store, otherStore) = (one.storeIdentifier ?? "", other.storeIdentifier ?? "")
    if store != otherStore { return store < otherStore }
    if one.entityName != other.entityName { return one.entityName < other.entityName }
    let (key, otherKey) = (one.primaryKey, other.primaryKey)
    if key.count != otherKey.count { return key.count < otherKey.count }
    return key < otherKey
  }

  // MARK: Coding

  private enum CodingKeys: String, CodingKey { case implementation }

  private struct Implementation: Codable {
    var primaryKey: String
    var uriRepresentation: URL
    var isTemporary: Bool
    var storeIdentifier: String?
    var entityName: String
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let parts = try container.decode(Implementation.self, forKey: .implementation)
    self.init(
      store: parts.storeIdentifier, entity: parts.entityName, key: parts.primaryKey)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    let parts = Implementation(
      primaryKey: primaryKey, uriRepresentation: uriRepresentation, isTemporary: isTemporary,
      storeIdentifier: storeIdentifier, entityName: entityName)
    try container.encode(parts, forKey: .implementation)
  }
}

extension PersistentIdentifier: ObjectIdentifying {}

extension PersistentIdentifier: ShapedValue {
  package func note(in shape: inout SwiftPredicateShape) { shape.note(reference: self) }

  // The default implementation is in another module, and looks up the metadata of the types.
  package static func note(
    optionalAt address: UnsafeRawPointer, in shape: inout SwiftPredicateShape
  ) {
    let value = address.assumingMemoryBound(to: PersistentIdentifier?.self).pointee
    shape.note(constant: value == nil)
    value?.note(in: &shape)
  }
}

extension PersistentIdentifier: CustomStringConvertible {
  /// The identifier as a URI. Accessing the property does not read from the store.
  public var description: String { uriRepresentation.absoluteString }
}
