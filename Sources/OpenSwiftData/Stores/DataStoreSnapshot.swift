/// A copy of the values of one model, for exchange between contexts and custom stores.
///
/// A snapshot encodes each value under a ``DataStoreSnapshotCodingKey``. The snapshot encodes a
/// to-one relationship as a persistent identifier, and a to-many relationship as an array of
/// persistent identifiers.
///
/// > Concurrency: Any thread.
/// > Reference: Apple, DataStoreSnapshot.
public protocol DataStoreSnapshot: Codable, Sendable {
  /// The identifier of the model. The identifier is temporary in the snapshot of a new model.
  var persistentIdentifier: PersistentIdentifier { get }

  /// Creates a snapshot with the values of a model.
  ///
  /// - Parameters:
  ///   - backingData: The values of the model.
  ///   - relatedBackingDatas: The values of related models, keyed by model identifier. The
  ///     initializer may add the values of other models.
  init(
    from backingData: any BackingData,
    relatedBackingDatas: inout [PersistentIdentifier: any BackingData])

  /// Returns a copy of the snapshot with new identifiers.
  ///
  /// - Parameters:
  ///   - persistentIdentifier: The new identifier of the model.
  ///   - remappedIdentifiers: The new identifiers of related models, keyed by their old
  ///     identifiers. The identifiers of other related models do not change. Pass `nil` if no
  ///     related model has a new identifier.
  func copy(
    persistentIdentifier: PersistentIdentifier,
    remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]?
  ) -> Self
}

/// The protocols to which a value in a snapshot must conform.
///
/// > Reference: Apple, DataStoreSnapshotValue.
public typealias DataStoreSnapshotValue = Codable & Sendable

/// The keys under which a snapshot encodes values.
///
/// > Reference: Apple, DataStoreSnapshotCodingKey.
public enum DataStoreSnapshotCodingKey: CodingKey, Hashable, Sendable {
  /// The identifier of the model.
  case persistentIdentifier
  /// The property with the given name.
  case modeledProperty(String)

  static let identifierName = "persistentIdentifier"

  public var stringValue: String {
    switch self {
    case .persistentIdentifier: Self.identifierName
    case .modeledProperty(let name): name
    }
  }

  public var intValue: Int? { nil }

  public init?(stringValue: String) {
    self =
      stringValue == Self.identifierName ? .persistentIdentifier : .modeledProperty(stringValue)
  }

  public init?(intValue: Int) { nil }
}
