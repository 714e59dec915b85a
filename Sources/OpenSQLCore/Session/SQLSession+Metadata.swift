import Foundation
package import OpenStoreContract

extension SQLSession {
  /// Reads the store's identifier and its metadata from the single row of `Z_METADATA`.
  ///
  /// - Parameter type: The store's type, which the metadata contains.
  /// - Throws: `StoreError` with code `.corrupt` if the identifier is missing, or if the metadata
  ///   is not a property list that contains a dictionary; `StoreError` with the code of the
  ///   database's failure if the table cannot be read.
  package func metadata(
    ofType type: String
  ) throws(StoreError) -> (identifier: String, metadata: StoreMetadata) {
    var row: (identifier: String?, list: Data?) = (nil, nil)
    try forEachRow(of: .select(SQLSelect(["Z_UUID", "Z_PLIST"], from: "Z_METADATA"))) {
      row = ($0.text(0), $0.data(1))
    }
    guard let identifier = row.identifier else {
      throw StoreError(
        .corrupt, "The store's metadata does not contain an identifier.", path: path)
    }
    let metadata = try MetadataList.metadata(
      in: row.list, identifier: identifier, type: type, path: path)
    return (identifier, metadata)
  }

  /// Replaces all metadata except the store's identifier.
  ///
  /// The new metadata must contain the entries that the library itself writes, such as the version
  /// hashes, because the method does not keep the old entries.
  ///
  /// - Parameters:
  ///   - metadata: The new metadata.
  ///   - type: The store's type.
  /// - Throws: `StoreError` with code `.unfitValue` if a property list cannot contain a value of
  ///   the metadata; `StoreError` with the code of the database's failure if the metadata cannot be
  ///   written.
  package func replaceMetadata(
    _ metadata: StoreMetadata, ofType type: String
  ) throws(StoreError) {
    let list = try MetadataList.encode(metadata, type: type, path: path)
    let update = SQLUpdate(
      "Z_METADATA", set: [("Z_PLIST", .parameter(.caller))], where: nil)
    try execute(.update(update), binding: [.data(list)])
  }
}
