/// The keys of the entries for the model in a store's metadata.
package enum StoreMetadataKey {
  /// The version hashes, by entity name.
  package static let entityHashes = "NSStoreModelVersionHashes"
  /// The version of the hash algorithm, which is 3.
  package static let hashesVersion = "NSStoreModelVersionHashesVersion"
  /// The identifiers of the model's version.
  package static let identifiers = "NSStoreModelVersionIdentifiers"
  /// The SHA-512 digest of entity names and version hashes, in Base64.
  package static let digest = "NSStoreModelVersionHashesDigest"
  /// The SHA-256 checksum of the version hashes, in Base64.
  package static let checksum = "NSStoreModelVersionChecksumKey"
  /// The version hashes of earlier model versions that may still use the store: an array of
  /// dictionaries by entity name.
  package static let earlierHashes = "OpenEarlierModelVersionHashes"
}
