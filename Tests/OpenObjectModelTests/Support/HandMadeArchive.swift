import Foundation
import OpenObjectModel

/// A keyed archive put together by hand, so that it can be wrong.
struct HandMadeArchive {
  indirect enum Item {
    case text(String)
    case number(Int64)
    case list([UInt64])
    case object(String, [String: Entry])
  }

  enum Entry {
    case reference(UInt64)
    case number(Int64)
    case references([UInt64])
  }

  private var nodes: [PropertyListNode] = []

  /// The archive of objects with references from 1, of which the first is the root.
  static func data(_ items: [Item]) -> Data {
    var archive = HandMadeArchive()
    return archive.encoded(items)
  }

  private mutating func encoded(_ items: [Item]) -> Data {
    var objects = [add(.string("$null"))]
    var classes: [Int] = []
    for item in items {
      objects.append(add(item, classReference: UInt64(1 + items.count + classes.count)))
      if case .object(let name, _) = item { classes.append(addClass(name)) }
    }
    let list = add(.array(objects + classes))
    let top = add(["root": add(.uid(1))])
    let root = add([
      "$archiver": add(.string("NSKeyedArchiver")), "$objects": list, "$top": top,
      "$version": add(.int(100_000)),
    ])
    return BinaryPropertyList(of: nodes, root: root).encoded()
  }

  private mutating func add(_ item: Item, classReference: UInt64) -> Int {
    switch item {
    case .text(let text): return add(.string(text))
    case .number(let number): return add(.int(number))
    case .list(let references):
      let members = references.map { add(.uid($0)) }
      return add(.array(members))
    case .object(_, let entries):
      var values = ["$class": add(.uid(classReference))]
      for (key, entry) in entries { values[key] = add(entry) }
      return add(values)
    }
  }

  private mutating func add(_ entry: Entry) -> Int {
    switch entry {
    case .reference(let reference): return add(.uid(reference))
    case .number(let number): return add(.int(number))
    case .references(let references):
      let members = references.map { add(.uid($0)) }
      return add(.array(members))
    }
  }

  private mutating func addClass(_ name: String) -> Int {
    var chain = [name]
    if name.hasSuffix("AttributeDescription") || name.hasSuffix("RelationshipDescription") {
      chain.append("NSPropertyDescription")
    }
    if name.hasPrefix("NSMutable") { chain.append("NS" + name.dropFirst(9)) }
    let members = (chain + ["NSObject"]).map { add(.string($0)) }
    let list = add(.array(members))
    return add(["$classname": add(.string(name)), "$classes": list])
  }

  private mutating func add(_ entries: [String: Int]) -> Int {
    let sorted = entries.sorted { $0.key < $1.key }
    let keys = sorted.map { add(.string($0.key)) }
    return add(.dictionary(keys: keys, values: sorted.map(\.value)))
  }

  private mutating func add(_ node: PropertyListNode) -> Int {
    nodes.append(node)
    return nodes.count - 1
  }
}
