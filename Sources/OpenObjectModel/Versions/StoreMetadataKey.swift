/// Keys of a store's metadata that speak of its model.
package enum StoreMetadataKey {
  /// Hashes by entity name.
  package static let entityHashes = "NSStoreModelVersionHashes"
  /// How hashes are computed: 3.
  package static let hashesVersion = "NSStoreModelVersionHashesVersion"
  /// The names of the model's version.
  package static let identifiers = "NSStoreModelVersionIdentifiers"
  /// Digest of names and hashes.
  package static let digest = "NSStoreModelVersionHashesDigest"
  /// Checksum of hashes.
  package static let checksum = "NSStoreModelVersionChecksumKey"
}
