package import Foundation
package import OpenObjectModel
package import OpenStoreContract

/// A store in the XML that Apple's framework writes.
///
/// The root is `database`; `databaseInfo` has the identifier, the last number that an object got, and the metadata, and each
/// `object` its attributes and relationships, with entities in uppercase and properties in lowercase. Two additions:
/// `encoding="base64"` on an attribute whose text has characters that XML cannot hold, and the types `uuid` and `uri`.
package struct XMLStoreFormat: StoreFileFormat {
  package var storeType: String { "XML" }
  package var keySpace: StoreContents.KeySpace { .shared }

  package func metadata(in data: Data, path: String) throws(StoreError) -> StoreMetadata {
    var information: XMLStoreInformation?
    try MarkupElement.forEach(in: data, root: "database", path: path) {
      (element) throws(StoreError) in
      guard element.name == "databaseInfo" else { return true }
      information = try XMLStoreInformation(element, path: path)
      return false
    }
    guard let information else {
      throw StoreError(.corrupt, "The store has no element databaseInfo.", path: path)
    }
    return information.metadata
  }

  package func contents(
    of data: Data, model: CompiledModel, path: String
  ) throws(StoreError) -> StoreContents {
    try XMLStoreReader(model: model, path: path).contents(of: data)
  }

  package func data(
    of contents: any StoreBackend, nextKeys: [Int: Int64], model: CompiledModel
  ) throws(StoreError) -> Data {
    try XMLStoreWriter(model: model).data(of: contents, lastKey: (nextKeys[0] ?? 1) - 1)
  }

  package func replacing(
    _ metadata: StoreMetadata, in data: Data, path: String
  ) throws(StoreError) -> Data {
    // No text of the file can have these tags, and databaseInfo is its first element.
    let (start, end) = (Data("<metadata>".utf8), Data("</metadata>".utf8))
    guard let first = data.range(of: start),
      let last = data.range(of: end, in: first.upperBound..<data.endIndex)
    else { throw StoreError(.corrupt, "The store has no element metadata.", path: path) }
    var text = XMLText()
    text.append("\n")
    try XMLPropertyList.write(XMLStoreInformation.stored(metadata), to: &text)
    text.append("        ")
    return data[..<first.upperBound] + Data(text.bytes) + data[last.lowerBound...]
  }
}

/// What the element `databaseInfo` says.
struct XMLStoreInformation {
  let metadata: StoreMetadata
  /// The last number that an object got.
  let lastKey: Int64

  /// - Throws: `StoreError` with code `.corrupt` when the identifier or the metadata is missing or impossible.
  init(_ element: MarkupElement, path: String) throws(StoreError) {
    func text(_ name: String) -> String? {
      element.first(name)?.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
    guard let identifier = text("UUID"), !identifier.isEmpty else {
      throw StoreError(.corrupt, "The store has no identifier.", path: path)
    }
    var metadata: StoreMetadata = [:]
    if let list = element.first("metadata")?.first("plist") {
      guard let dictionary = XMLPropertyList.dictionary(in: list) else {
        throw StoreError(.corrupt, "The store's metadata is not a property list.", path: path)
      }
      metadata = dictionary
    }
    metadata["NSStoreUUID"] = identifier
    self.metadata = metadata
    let number = text("nextObjectID") ?? "0"
    guard let last = Int64(number), last >= 0, last < StoreContents.greatestKey else {
      throw StoreError(.corrupt, "The store's next object id is impossible.", path: path)
    }
    lastKey = last
  }

  /// The metadata that the property list has: identifier and type are beside it.
  static func stored(_ metadata: StoreMetadata) -> StoreMetadata {
    metadata.filter { $0.key != "NSStoreUUID" && $0.key != "NSStoreType" }
  }
}
