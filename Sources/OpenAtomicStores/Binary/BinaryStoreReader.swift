import Foundation
import OpenObjectModel
import OpenPredicates
import OpenStoreContract

/// Reads a store that ``BinaryStoreWriter`` wrote. Used for only one read.
struct BinaryStoreReader {
  private let list: BinaryPropertyList
  private let path: String

  /// - Throws: `StoreError` with code `.foreignFile` if the data is not a store of this format, or
  ///   with code `.corrupt` if the store is damaged.
  init(_ data: Data, path: String) throws(StoreError) {
    self.path = path
    guard data.starts(with: Data("bplist00".utf8)) else { throw Self.foreign(path) }
    do throws(ModelError) {
      list = try BinaryPropertyList(data)
    } catch {
      throw StoreError(
        .corrupt, "The store file is a damaged property list. Restore a backup.", path: path,
        underlying: error)
    }
    guard text("format") == BinaryStoreFormat.name else { throw Self.foreign(path) }
    guard let version = integer("version") else {
      throw StoreError(
        .corrupt, "The store file does not state its version. Restore a backup.", path: path)
    }
    guard version == BinaryStoreFormat.version else {
      throw StoreError(
        .foreignFile,
        "The store file has version \(version) of the format of binary stores, and this version of the library reads only "
          + "version \(BinaryStoreFormat.version). Open the store with the version of the library that wrote it.",
        path: path)
    }
  }

  private static func foreign(_ path: String) -> StoreError {
    StoreError(
      .foreignFile,
      "The file is not a binary store of this library. Binary stores that Apple's framework created cannot be read. Save "
        + "them as XML or SQLite stores with Apple's framework.", path: path)
  }

  // MARK: Parts

  private func node(_ key: String) -> PropertyListNode? {
    list.value(key, in: list.root).flatMap { list[$0] }
  }

  private func text(_ key: String) -> String? {
    if case .string(let text) = node(key) { return text }
    return nil
  }

  private func integer(_ key: String) -> Int64? {
    if case .int(let integer) = node(key) { return integer }
    return nil
  }

  func metadata() throws(StoreError) -> StoreMetadata {
    guard let identifier = text("identifier"), !identifier.isEmpty,
      case .data(let data) = node("metadata")
    else { throw corrupt("it has no identifier or no metadata") }
    var metadata = try MetadataList.decode(data, path: path)
    metadata["NSStoreUUID"] = identifier
    return metadata
  }

  /// Checks the parts that a store must have.
  func check() throws(StoreError) {
    _ = try metadata()
    _ = try entries("objects")
    _ = try entries("nextKeys")
  }

  func contents(_ model: CompiledModel) throws(StoreError) -> StoreContents {
    let metadata = try metadata()
    var contents = StoreContents(
      identifier: metadata["NSStoreUUID"] as? String ?? "", metadata: metadata)
    var builder = ContentsBuilder(model: model, path: path)
    for (name, number) in try entries("objects") {
      guard let entity = model.entity(named: name), case .array(let members) = list[number] else {
        throw StoreError(
          .incompatibleSchema,
          "The store contains objects of an entity that does not exist in the model.",
          path: path, entityName: name)
      }
      for member in members { try builder.add(try object(member, of: entity)) }
    }
    try builder.fill(&contents)
    for (name, number) in try entries("nextKeys") {
      guard let root = model.entity(named: name)?.rootIndex, case .int(let key) = list[number],
        key > 0, key <= StoreContents.greatestKey
      else { throw corrupt("an entry for the next key of an entity is invalid") }
      contents.nextKeys[root] = key
    }
    return contents
  }

  /// Returns the bytes of the file in which other metadata replaces the current metadata.
  func replacing(_ metadata: Data) throws(StoreError) -> Data {
    guard let number = list.value("metadata", in: list.root) else {
      throw corrupt("it has no metadata")
    }
    var nodes = list.nodes
    nodes[number] = .data(metadata)
    return BinaryPropertyList(of: nodes, root: list.root).encoded()
  }

  private func entries(_ key: String) throws(StoreError) -> [(String, Int)] {
    guard case .dictionary(let keys, let values) = node(key), keys.count == values.count else {
      throw corrupt("the entry \(key) is missing or invalid")
    }
    var entries: [(String, Int)] = []
    for (key, value) in zip(keys, values) {
      guard case .string(let name) = list[key] else { throw corrupt("a name is not a string") }
      entries.append((name, value))
    }
    return entries
  }

  // MARK: Objects

  private func object(
    _ number: Int, of entity: CompiledEntity
  ) throws(StoreError) -> StoredObject {
    guard case .array(let members) = list[number], members.count >= 2, members.count % 2 == 0,
      case .int(let key) = list[members[0]], case .int(let version) = list[members[1]]
    else { throw corrupt("an object is not a list of properties") }
    var object = StoredObject(entity: entity, key: key, version: version)
    for place in stride(from: 2, to: members.count, by: 2) {
      guard case .string(let name) = list[members[place]], let value = list[members[place + 1]]
      else { throw corrupt("a property has no name or no value") }
      try put(value, name, into: &object)
    }
    return object
  }

  private func put(
    _ node: PropertyListNode, _ name: String, into object: inout StoredObject
  ) throws(StoreError) {
    guard let ordinal = object.entity.ordinal(of: name) else {
      throw StoreError(
        .incompatibleSchema,
        "The store contains values of a property that does not exist in the model.",
        path: path, entityName: object.entity.name, propertyName: name)
    }
    let property = object.entity.properties[ordinal]
    switch (property.slot, property.relationship, node) {
    case (let slot?, nil, _):
      let value = Self.value(node, as: object.entity.slots[slot].kind)
      object.values.append(
        try object.entity.content(value, slot, of: property, path: path))
    case (.some, .some, .int(let key)): object.toOne.append((ordinal, key))
    case (nil, let relationship?, .array(let members)) where relationship.isToMany:
      object.toMany.append((ordinal, try keys(members)))
    default: throw corrupt("the value of the property \(name) has the wrong type")
    }
  }

  private func keys(_ members: [Int]) throws(StoreError) -> [Int64] {
    var keys: [Int64] = []
    for member in members {
      guard case .int(let key) = list[member] else { throw corrupt("a key is not a number") }
      keys.append(key)
    }
    return keys
  }

  private static func value(_ node: PropertyListNode, as kind: SlotKind) -> Value? {
    switch (kind, node) {
    case (.integer, .int(let integer)): .int(integer)
    case (.real, .real(let real)): .double(real)
    case (.text, .string(let text)): .string(text)
    case (.blob, .data(let data)): .data(data)
    case (.decimal, .string(let text)):
      DecimalText.value(text).map { .decimal(DecimalValue($0)) }
    default: nil
    }
  }

  private func corrupt(_ what: String) -> StoreError {
    StoreError(.corrupt, "The store file is damaged: \(what). Restore a backup.", path: path)
  }
}
