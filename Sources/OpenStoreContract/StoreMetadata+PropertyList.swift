package import Foundation
internal import OpenObjectModel

/// Metadata as the property lists that stores keep.
package enum MetadataList {
  package static let identifierKey = "NSStoreUUID"
  package static let typeKey = "NSStoreType"

  /// The metadata of a store, whose list has neither identifier nor type.
  package static func metadata(
    in data: Data?, identifier: String, type: String, path: String?
  ) throws(StoreError) -> StoreMetadata {
    var metadata =
      try data.map { (data) throws(StoreError) in try decode(data, path: path) } ?? [:]
    metadata[identifierKey] = identifier
    metadata[typeKey] = type
    return metadata
  }

  /// The list that a store keeps.
  package static func encode(
    _ metadata: StoreMetadata, type: String, path: String?
  ) throws(StoreError) -> Data {
    var list = metadata
    list[identifierKey] = nil
    list[typeKey] = type
    return try encode(list, path: path)
  }

  /// Metadata of the application, with the present values whose keys begin with one of some words, which are the store's.
  package static func merge(
    _ metadata: StoreMetadata, keeping words: [String], of present: StoreMetadata
  ) -> StoreMetadata {
    let kept = present.filter { entry in words.contains { entry.key.hasPrefix($0) } }
    return metadata.merging(kept) { _, kept in kept }
  }

  /// Reads metadata.
  ///
  /// - Throws: `StoreError` with code `.corrupt` for data without a dictionary.
  package static func decode(_ data: Data, path: String?) throws(StoreError) -> StoreMetadata {
    guard let list = PropertyListDictionary.read(data) else {
      throw StoreError(
        .corrupt, "The store's metadata is no property list with a dictionary.", path: path)
    }
    return list.compactMapValues(PropertyListValue.plain)
  }

  /// Writes metadata in the binary format.
  ///
  /// - Throws: `StoreError` with code `.unfitValue` for a value that a property list cannot hold.
  package static func encode(_ metadata: StoreMetadata, path: String?) throws(StoreError) -> Data {
    do {
      return try PropertyListSerialization.data(
        fromPropertyList: metadata, format: .binary, options: 0)
    } catch {
      throw StoreError(
        .unfitValue, "The metadata contains a value that a property list does not support.",
        path: path,
        underlying: error)
    }
  }
}
