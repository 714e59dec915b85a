public import Foundation

extension NSPropertyDescription {
  /// The 32-byte version hash of the property.
  ///
  /// The hash of a composite attribute depends only on its elements, and the hash of a derived
  /// attribute only on its expression. The hash of any other property depends on the name, the
  /// optional flag, the hash modifier, and the following facts:
  /// - For an attribute, its type, whether persistent history preserves its values, and whether
  ///   stores may save its values in external files.
  /// - For a relationship, the names of its destination and its inverse, its minimum and maximum
  ///   counts, and whether it is ordered.
  ///
  /// > Reference: Apple, NSPropertyDescription, versionHash.
  public var versionHash: Data { Data(VersionHasher().hash(self)) }
}

extension NSEntityDescription {
  /// The 32-byte version hash of the entity.
  ///
  /// The hash depends only on the following facts about the entity:
  /// - its name, its hash modifier, and whether the entity is abstract
  /// - its ancestors and its uniqueness constraints
  /// - the hashes of all properties except transient properties and fetched properties
  ///
  /// - Complexity: Every access computes the hashes of the entity and its ancestors again. To read
  ///   the hashes of several entities, use `NSManagedObjectModel.entityVersionHashesByName`, which
  ///   computes each hash only once.
  /// > Reference: Apple, NSEntityDescription, versionHash.
  public var versionHash: Data { Data(VersionHasher().hash(self)) }
}

extension NSManagedObjectModel {
  /// The SHA-256 checksum of the version hashes of all entities, in Base64.
  ///
  /// Xcode prints this checksum, and the file `VersionInfo.plist` in a `.momd` folder contains this
  /// checksum.
  ///
  /// > Reference: Apple, NSManagedObjectModel, versionChecksum.
  public var versionChecksum: String { Self.checksum(of: entityVersionHashesByName) }

  /// The SHA-512 digest of the names and version hashes of all entities, in Base64. A store's
  /// metadata contains this digest.
  package var versionHashesDigest: String { Self.digest(of: entityVersionHashesByName) }

  /// Implements `isConfiguration(withName:compatibleWithStoreMetadata:)`.
  final func matches(_ metadata: [String: Any], inConfiguration configuration: String?) -> Bool {
    guard let members = entities(forConfigurationName: configuration) else { return false }
    let wanted = versionHashes(of: members)
    return Self.acceptedVersionHashes(in: metadata)
      .contains { Self.fits(wanted, $0, configuration: configuration) }
  }

  /// Returns the version hashes of all versions of the model that may use a store; empty if the
  /// metadata contains no hashes.
  ///
  /// The hashes of the version to which the store was last migrated come first, followed by the
  /// hashes of earlier versions.
  package class func acceptedVersionHashes(in metadata: [String: Any]) -> [[String: Data]] {
    let earlier = metadata[StoreMetadataKey.earlierHashes] as? [[String: Data]] ?? []
    return (versionHashes(in: metadata).map { [$0] } ?? []) + earlier
  }

  /// Returns whether the version hashes of a configuration's entities match the version hashes of a
  /// store's entities.
  ///
  /// Without a configuration, or if `wanted` is empty, the store must have exactly the same
  /// entities and hashes. A store that is opened for a configuration may have additional entities,
  /// which the method does not compare.
  ///
  /// - Parameters:
  ///   - wanted: The version hashes of the configuration's entities, by entity name.
  ///   - stored: The version hashes of the store's entities, by entity name.
  ///   - configuration: The name of the configuration; nil for all entities of the model.
  package class func fits(
    _ wanted: [String: Data], _ stored: [String: Data], configuration: String?
  ) -> Bool {
    configuration == nil || wanted.isEmpty
      ? wanted == stored : wanted.allSatisfy { stored[$0.key] == $0.value }
  }

  /// Returns the version hashes of entities by name. If several entities have the same name, the
  /// dictionary contains the hash of the first of these entities.
  package func versionHashes(of members: [NSEntityDescription]) -> [String: Data] {
    let hasher = VersionHasher()
    return Dictionary(members.map { ($0.name ?? "", Data(hasher.hash($0))) }) { first, _ in first }
  }

  /// Returns the version hashes in a store's metadata; nil if the metadata contains no hashes, or a
  /// hash that is not data.
  package class func versionHashes(in metadata: [String: Any]) -> [String: Data]? {
    guard let entries = metadata[StoreMetadataKey.entityHashes] as? [String: Any] else {
      return nil
    }
    let hashes = entries.compactMapValues { $0 as? Data }
    return hashes.count == entries.count ? hashes : nil
  }

  /// Returns the SHA-256 checksum of version hashes, in the order of entity names, as a Base64
  /// string.
  package class func checksum(of hashes: [String: Data]) -> String {
    Data(SHA2.hash256(sorted(hashes).flatMap { [UInt8]($0.value) })).base64EncodedString()
  }

  /// Returns the SHA-512 digest of entity names and version hashes, in the order of the names, as a
  /// Base64 string.
  package class func digest(of hashes: [String: Data]) -> String {
    Data(SHA2.hash512(sorted(hashes).flatMap { Array($0.key.utf8) + [UInt8]($0.value) }))
      .base64EncodedString()
  }

  private class func sorted(_ hashes: [String: Data]) -> [(key: String, value: Data)] {
    hashes.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}
