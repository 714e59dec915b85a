package import Foundation
internal import OpenObjectModel

/// Converts metadata to and from the property lists that stores save.
package enum MetadataList {
  package static let identifierKey = "NSStoreUUID"
  package static let typeKey = "NSStoreType"
  /// The prefix of the keys of the entries about a store's history, such as the positions of
  /// consumers.
  package static let historyPrefix = "OpenHistory"

  /// Returns metadata without the history entries, for a copied or migrated store that does not
  /// take over the source's history.
  package static func withoutHistory<Entry>(_ metadata: [String: Entry]) -> [String: Entry] {
    metadata.filter { !$0.key.hasPrefix(historyPrefix) }
  }

  /// Returns the metadata in a store's property list, with the identifier and the type added.
  ///
  /// - Parameters:
  ///   - data: The property list; nil for a store without a property list.
  ///   - identifier: The store's identifier.
  ///   - type: The store's type.
  ///   - path: The path of the store's file, for error messages; nil if the path is unknown.
  /// - Throws: `StoreError` with code `.corrupt` if the data is not a property list with a
  ///   dictionary.
  package static func metadata(
    in data: Data?, identifier: String, type: String, path: String?
  ) throws(StoreError) -> StoreMetadata {
    var metadata =
      try data.map { (data) throws(StoreError) in try decode(data, path: path) } ?? [:]
    metadata[identifierKey] = identifier
    metadata[typeKey] = type
    return metadata
  }

  /// Returns the property list that a store saves. The list contains the metadata and the store's
  /// type, but not the store's identifier.
  ///
  /// - Parameters:
  ///   - metadata: The metadata of the store.
  ///   - type: The store's type.
  ///   - path: The path of the store's file, for error messages; nil if the path is unknown.
  /// - Throws: `StoreError` with code `.unfitValue` for a value that a property list cannot
  ///   contain.
  package static func encode(
    _ metadata: StoreMetadata, type: String, path: String?
  ) throws(StoreError) -> Data {
    var list = metadata
    list[identifierKey] = nil
    list[typeKey] = type
    return try encode(list, path: path)
  }

  /// Merges an application's metadata with the store's own entries; the store's own entries take
  /// precedence.
  ///
  /// - Parameters:
  ///   - metadata: The metadata of the application.
  ///   - words: The prefixes that identify the keys of the store's own entries.
  ///   - present: The current metadata of the store.
  package static func merge(
    _ metadata: StoreMetadata, keeping words: [String], of present: StoreMetadata
  ) -> StoreMetadata {
    let kept = present.filter { entry in words.contains { entry.key.hasPrefix($0) } }
    return metadata.merging(kept) { _, kept in kept }
  }

  /// Returns the metadata in a property list.
  ///
  /// - Parameters:
  ///   - data: The property list.
  ///   - path: The path of the store's file, for error messages; nil if the path is unknown.
  /// - Throws: `StoreError` with code `.corrupt` if the data is not a property list with a
  ///   dictionary.
  package static func decode(_ data: Data, path: String?) throws(StoreError) -> StoreMetadata {
    guard let list = PropertyListDictionary.read(data) else {
      throw StoreError(
        .corrupt, "The store's metadata is not a property list that contains a dictionary.",
        path: path)
    }
    return list.compactMapValues(PropertyListValue.plain)
  }

  /// Returns metadata as a binary property list.
  ///
  /// - Parameters:
  ///   - metadata: The metadata to encode.
  ///   - path: The path of the store's file, for error messages; nil if the path is unknown.
  /// - Throws: `StoreError` with code `.unfitValue` for a value that a property list cannot
  ///   contain.
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
