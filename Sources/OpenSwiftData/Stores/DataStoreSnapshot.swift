/// The values of one model, passed between a context and a store.
///
/// The values are those that a snapshot encodes: a container with the keys of ``DataStoreSnapshotCodingKey``, relationships as
/// identifiers and arrays of identifiers.
///
/// > Concurrency: A value; usable on any thread.
/// > Reference: Apple, DataStoreSnapshot.
public protocol DataStoreSnapshot: Codable, Sendable {
  /// The identifier of the model; temporary in the snapshot of a model that is being inserted.
  var persistentIdentifier: PersistentIdentifier { get }

  /// Takes the values of a model.
  ///
  /// - Parameters:
  ///   - backingData: The values.
  ///   - relatedBackingDatas: The values of further models; may be filled.
  init(
    from backingData: any BackingData,
    relatedBackingDatas: inout [PersistentIdentifier: any BackingData])

  /// The same values under other identifiers.
  ///
  /// - Parameters:
  ///   - persistentIdentifier: The identifier of the model.
  ///   - remappedIdentifiers: New identifiers of models that the values refer to, by the old ones.
  func copy(
    persistentIdentifier: PersistentIdentifier,
    remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]?
  ) -> Self
}

/// A value in a snapshot.
///
/// > Reference: Apple, DataStoreSnapshotValue.
public typealias DataStoreSnapshotValue = Codable & Sendable

/// The keys under which a snapshot encodes its values.
///
/// > Reference: Apple, DataStoreSnapshotCodingKey.
public enum DataStoreSnapshotCodingKey: CodingKey, Hashable, Sendable {
  /// The model's identifier.
  case persistentIdentifier
  /// A property, by name.
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
