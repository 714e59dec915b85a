package import Foundation
package import OpenObjectModel
import OpenPredicates
package import OpenStoreContract

/// The binary format of stores: a binary property list whose layout this library defines.
///
/// Apple does not document the binary format of its framework.
///
/// The outermost dictionary contains `format` ("OpenCoreData.binary"), `version` (1), `identifier`,
/// `metadata` (data that contains another property list), `nextKeys` (keyed by the name of the root
/// entity) and `objects` (keyed by the name of the entity). Each object is an array of its key, its
/// row version, and pairs of the name and the value of a property. Attributes without a value are
/// omitted. The value of a to-one relationship is the key of the destination, and the value of a
/// to-many relationship is an array of keys.
package struct BinaryStoreFormat: StoreFileFormat {
  static let name = "OpenCoreData.binary"
  static let version: Int64 = 1

  package var storeType: String { "Binary" }
  package var signature: Data { Data("bplist".utf8) }
  package var keySpace: StoreContents.KeySpace { .perRoot }

  package func metadata(in data: Data, path: String) throws(StoreError) -> StoreMetadata {
    try BinaryStoreReader(data, path: path).metadata()
  }

  package func check(_ data: Data, path: String) throws(StoreError) {
    // The reader parses the complete property list.
    try BinaryStoreReader(data, path: path).check()
  }

  package func contents(
    of data: Data, model: CompiledModel, path: String
  ) throws(StoreError) -> StoreContents {
    try BinaryStoreReader(data, path: path).contents(model)
  }

  package func data(
    of contents: any StoreBackend, nextKeys: [Int: Int64], model: CompiledModel
  ) throws(StoreError) -> Data {
    try BinaryStoreWriter(model: model).data(of: contents, nextKeys: nextKeys)
  }

  package func replacing(
    _ metadata: StoreMetadata, in data: Data, path: String
  ) throws(StoreError) -> Data {
    try BinaryStoreReader(data, path: path).replacing(try Self.encoded(metadata))
  }

  /// Returns metadata as a binary property list, without the identifier and the type.
  static func encoded(_ metadata: StoreMetadata) throws(StoreError) -> Data {
    var list = metadata
    list["NSStoreUUID"] = nil
    list["NSStoreType"] = nil
    return try MetadataList.encode(list, path: nil)
  }
}
