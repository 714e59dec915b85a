/// The values of one model, for the exchange between a context and a store.
///
/// A snapshot encodes the values in a container with the keys of ``DataStoreSnapshotCodingKey``. It
/// encodes relationships as identifiers and arrays of identifiers.
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
  ///   - relatedBackingDatas: The values of related models, by identifier. The initializer may add
  ///     values.
  init(
    from backingData: any BackingData,
    relatedBackingDatas: inout [PersistentIdentifier: any BackingData])

  /// Returns a snapshot with the same values and other identifiers.
  ///
  /// - Parameters:
  ///   - persistentIdentifier: The new identifier of the model.
  ///   - remappedIdentifiers: The new identifiers of related models, by their old identifiers;
  ///     `nil` for no changes.
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
  /// The property with a name.
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
