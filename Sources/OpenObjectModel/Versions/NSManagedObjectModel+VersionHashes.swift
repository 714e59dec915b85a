public import Foundation

extension NSPropertyDescription {
  /// A fingerprint of the property's persistent form, 32 bytes.
  ///
  /// Depends only on the name, the optional flag, the hash modifier, the type of an attribute, whether
  /// it is kept in the history or in external files, the destination, inverse, counts and order of a relationship,
  /// and the expression of a derived attribute.
  ///
  /// > Reference: Apple, NSPropertyDescription, versionHash.
  public var versionHash: Data { Data(VersionHasher().hash(self)) }
}

extension NSEntityDescription {
  /// A fingerprint of the entity's persistent form, 32 bytes.
  ///
  /// Depends only on the name, whether the entity is abstract, the ancestors, the hashes of all properties that are
  /// neither transient nor fetched, the uniqueness constraints and the hash modifier.
  ///
  /// - Complexity: Each use computes it again, with those of the ancestors;
  ///   `NSManagedObjectModel.entityVersionHashesByName` does all entities for little more.
  /// > Reference: Apple, NSEntityDescription, versionHash.
  public var versionHash: Data { Data(VersionHasher().hash(self)) }
}

extension NSManagedObjectModel {
  /// The fingerprints of all entities.
  ///
  /// > Reference: Apple, NSManagedObjectModel, entityVersionHashesByName.
  public var entityVersionHashesByName: [String: Data] { versionHashes(of: entities) }

  /// A fingerprint of the complete model, in base 64, as printed by Xcode and stored in `VersionInfo.plist`.
  ///
  /// > Reference: Apple, NSManagedObjectModel, versionChecksum.
  public var versionChecksum: String { Self.checksum(of: entityVersionHashesByName) }

  /// A fingerprint of names and hashes together, in base 64, as a store's metadata holds it.
  package var versionHashesDigest: String { Self.digest(of: entityVersionHashesByName) }

  /// Whether a store's metadata was written with the entities of a configuration.
  ///
  /// Compares the names and fingerprints of entities. The store may have entities that a named configuration does not
  /// have; without a configuration, it must have exactly those of the model. Version identifiers are ignored.
  ///
  /// - Parameters:
  ///   - configuration: The name of a configuration; nil for all entities. An unknown name matches no store.
  ///   - metadata: A store's metadata.
  /// - Returns: `true` if a store's metadata was written with the entities of a configuration.
  /// > Reference: Apple, NSManagedObjectModel, isConfiguration(withName:compatibleWithStoreMetadata:).
  public func isConfiguration(
    withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
  ) -> Bool {
    guard let members = entities(forConfigurationName: configuration),
      let hashes = Self.versionHashes(in: metadata)
    else { return false }
    return Self.fits(versionHashes(of: members), hashes, configuration: configuration)
  }

  /// Whether the fingerprints of a configuration's entities fit those of a store.
  ///
  /// Without a configuration, the store must have the same entities. A store that is opened for a configuration
  /// may have further ones, which the configuration leaves alone.
  package class func fits(
    _ wanted: [String: Data], _ stored: [String: Data], configuration: String?
  ) -> Bool {
    configuration == nil || wanted.isEmpty
      ? wanted == stored : wanted.allSatisfy { stored[$0.key] == $0.value }
  }

  /// The fingerprints of some entities; of two with one name, the first.
  package func versionHashes(of members: [NSEntityDescription]) -> [String: Data] {
    let hasher = VersionHasher()
    return Dictionary(members.map { ($0.name ?? "", Data(hasher.hash($0))) }) { first, _ in first }
  }

  /// The fingerprints that a store's metadata holds; nil when it holds none.
  package class func versionHashes(in metadata: [String: Any]) -> [String: Data]? {
    guard let entries = metadata[StoreMetadataKey.entityHashes] as? [String: Any] else {
      return nil
    }
    let hashes = entries.compactMapValues { $0 as? Data }
    return hashes.count == entries.count ? hashes : nil
  }

  /// The checksum over fingerprints, in the order of their entities' names.
  package class func checksum(of hashes: [String: Data]) -> String {
    Data(SHA2.hash256(sorted(hashes).flatMap { [UInt8]($0.value) })).base64EncodedString()
  }

  /// The digest over names and fingerprints.
  package class func digest(of hashes: [String: Data]) -> String {
    Data(SHA2.hash512(sorted(hashes).flatMap { Array($0.key.utf8) + [UInt8]($0.value) }))
      .base64EncodedString()
  }

  private class func sorted(_ hashes: [String: Data]) -> [(key: String, value: Data)] {
    hashes.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}
