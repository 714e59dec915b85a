package import Foundation
package import OpenObjectModel
import OpenPredicates
package import OpenStoreContract

/// A store as one binary property list, laid out by this library: Apple does not document its own.
///
/// The outermost dictionary has `format` ("OpenCoreData.binary"), `version` (1), `identifier`, `metadata` (a property list of
/// its own, as data), `nextKeys` (by name of root entity) and `objects` (by entity name). An object is an array: its key, its
/// row version, and then pairs of a property's name and value. Attributes without value are omitted; a to-one
/// relationship has its destination's key, a to-many one an array of keys.
package struct BinaryStoreFormat: StoreFileFormat {
  static let name = "OpenCoreData.binary"
  static let version: Int64 = 1

  package var storeType: String { "Binary" }
  package var keySpace: StoreContents.KeySpace { .perRoot }

  package func metadata(in data: Data, path: String) throws(StoreError) -> StoreMetadata {
    try BinaryStoreReader(data, path: path).metadata()
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

  /// Metadata as bytes.
  static func encoded(_ metadata: StoreMetadata) throws(StoreError) -> Data {
    var list = metadata
    list["NSStoreUUID"] = nil
    list["NSStoreType"] = nil
    return try MetadataList.encode(list, path: nil)
  }
}
