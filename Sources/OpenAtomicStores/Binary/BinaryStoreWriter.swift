import Foundation
import OpenObjectModel
import OpenStoreContract

/// Writes a store as a binary property list. Used for only one write.
struct BinaryStoreWriter {
  private let model: CompiledModel
  private var nodes: [PropertyListNode] = []
  /// The node number of each name; many objects share the nodes of names.
  private var names: [String: Int] = [:]

  init(model: CompiledModel) { self.model = model }

  func data(
    of contents: any StoreBackend, nextKeys: [Int: Int64]
  ) throws(StoreError) -> Data {
    var writer = self
    return try writer.write(contents, nextKeys)
  }

  private mutating func write(
    _ contents: any StoreBackend, _ nextKeys: [Int: Int64]
  ) throws(StoreError) -> Data {
    var objects: [Int: [Int]] = [:]
    var nodes = self
    try StoredObject.forEach(in: contents, of: model) { (object) throws(StoreError) in
      objects[object.entity.index, default: []].append(nodes.add(object))
    }
    self = nodes
    let metadata = try BinaryStoreFormat.encoded(contents.metadata())
    let lists = objects.sorted { $0.key < $1.key }.map {
      (model.entities[$0.key].name, add(.array($0.value)))
    }
    let keys = nextKeys.sorted { $0.key < $1.key }.map {
      (model.entities[$0.key].name, add(.int($0.value)))
    }
    let root = add([
      ("format", add(.string(BinaryStoreFormat.name))),
      ("version", add(.int(BinaryStoreFormat.version))),
      ("identifier", add(.string(contents.identifier))), ("metadata", add(.data(metadata))),
      ("nextKeys", add(keys)), ("objects", add(lists)),
    ])
    return BinaryPropertyList(of: self.nodes, root: root).encoded()
  }

  private mutating func add(_ node: PropertyListNode) -> Int {
    nodes.append(node)
    return nodes.count - 1
  }

  private mutating func add(_ entries: [(key: String, value: Int)]) -> Int {
    let keys = entries.map { add(.string($0.key)) }
    return add(.dictionary(keys: keys, values: entries.map(\.value)))
  }

  private mutating func name(_ name: String) -> Int {
    if let number = names[name] { return number }
    let number = add(.string(name))
    names[name] = number
    return number
  }

  private mutating func add(_ object: StoredObject) -> Int {
    var members = [add(.int(object.key)), add(.int(object.version))]
    for value in object.values {
      guard let node = Self.node(value.content) else { continue }
      let ordinal = object.entity.slots[value.slot].propertyOrdinal
      members += [name(object.entity.properties[ordinal].name), add(node)]
    }
    for (ordinal, key) in object.toOne {
      members += [name(object.entity.properties[ordinal].name), add(.int(key))]
    }
    for (ordinal, keys) in object.toMany {
      let list = keys.map { add(.int($0)) }
      members += [name(object.entity.properties[ordinal].name), add(.array(list))]
    }
    return add(.array(members))
  }

  private static func node(_ content: SlotContent) -> PropertyListNode? {
    switch content {
    case .null: nil
    case .integer(let integer): .int(integer)
    case .real(let real): .real(real)
    case .text(let text): .string(text)
    case .data(let data): .data(data)
    }
  }
}
