package import Foundation
package import OpenObjectModel
package import OpenStoreContract

/// The XML format in which Apple's framework writes stores.
///
/// The root element is `database`. The element `databaseInfo` contains the identifier, the last
/// assigned key, and the metadata. Each `object` element contains the object's attributes and
/// relationships. Names of entities are in uppercase, and names of properties are in lowercase.
/// This library adds the types `uuid` and `uri`, and marks an attribute with `encoding="base64"` if
/// its text contains characters that XML does not allow.
package struct XMLStoreFormat: StoreFileFormat {
  package var storeType: String { "XML" }
  package var signature: Data { Data("<?xml".utf8) }
  package var keySpace: StoreContents.KeySpace { .shared }

  package func metadata(in data: Data, path: String) throws(StoreError) -> StoreMetadata {
    try information(in: data, path: path, readsAll: false).metadata
  }

  package func check(_ data: Data, path: String) throws(StoreError) {
    _ = try information(in: data, path: path, readsAll: true)
  }

  /// Returns the contents of the element `databaseInfo`.
  ///
  /// - Parameter readsAll: Whether to parse the elements after `databaseInfo` too, so that damage
  ///   there is an error.
  private func information(
    in data: Data, path: String, readsAll: Bool
  ) throws(StoreError) -> XMLStoreInformation {
    var information: XMLStoreInformation?
    try MarkupElement.forEach(in: data, root: "database", path: path) {
      (element) throws(StoreError) in
      guard element.name == "databaseInfo" else { return true }
      information = try XMLStoreInformation(element, path: path)
      return readsAll
    }
    guard let information else {
      throw StoreError(
        .corrupt, "The store file is damaged: it has no databaseInfo element. Restore a backup.",
        path: path)
    }
    return information
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
    // Text in the file cannot contain these tags, and databaseInfo is the first element of the
    // file.
    let (start, end) = (Data("<metadata>".utf8), Data("</metadata>".utf8))
    guard let first = data.range(of: start),
      let last = data.range(of: end, in: first.upperBound..<data.endIndex)
    else {
      throw StoreError(
        .corrupt, "The store file is damaged: it has no metadata element. Restore a backup.",
        path: path)
    }
    var text = XMLText()
    text.append("\n")
    try XMLPropertyList.write(XMLStoreInformation.stored(metadata), to: &text)
    text.append("        ")
    return data[..<first.upperBound] + Data(text.bytes) + data[last.lowerBound...]
  }
}

/// The contents of the element `databaseInfo`.
struct XMLStoreInformation {
  let metadata: StoreMetadata
  /// The last key that was assigned to an object.
  let lastKey: Int64

  /// - Throws: `StoreError` with code `.corrupt` if the identifier is missing, or if the metadata
  ///   or the last key is invalid.
  init(_ element: MarkupElement, path: String) throws(StoreError) {
    func text(_ name: String) -> String? {
      element.first(name)?.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
    guard let identifier = text("UUID"), !identifier.isEmpty else {
      throw StoreError(
        .corrupt, "The store file is damaged: it has no identifier. Restore a backup.",
        path: path)
    }
    var metadata: StoreMetadata = [:]
    if let list = element.first("metadata")?.first("plist") {
      guard let dictionary = XMLPropertyList.dictionary(in: list) else {
        throw StoreError(
          .corrupt, "The store's metadata is not a property list that contains a dictionary.",
          path: path)
      }
      metadata = dictionary
    }
    metadata["NSStoreUUID"] = identifier
    self.metadata = metadata
    let number = text("nextObjectID") ?? "0"
    guard let last = Int64(number), last >= 0, last < StoreContents.greatestKey else {
      throw StoreError(
        .corrupt,
        "The store file is damaged: the value of nextObjectID is invalid. Restore a backup.",
        path: path)
    }
    lastKey = last
  }

  /// Returns the metadata for the property list, without the identifier and the type, which the
  /// file contains in other elements.
  static func stored(_ metadata: StoreMetadata) -> StoreMetadata {
    metadata.filter { $0.key != "NSStoreUUID" && $0.key != "NSStoreType" }
  }
}
