package import Foundation
internal import OpenObjectModel

/// Metadata as the property lists that stores keep.
package enum MetadataList {
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
