/// Collects the objects of a property list; equal scalars are kept once.
struct PropertyListBuilder {
  private(set) var nodes: [PropertyListNode] = []
  private var numbers: [PropertyListNode: Int] = [:]

  /// Adds an object and gives its number.
  mutating func add(_ node: PropertyListNode) -> Int {
    if node.isScalar, let known = numbers[node] { return known }
    let number = nodes.count
    nodes.append(node)
    if node.isScalar { numbers[node] = number }
    return number
  }

  /// Adds a dictionary; its entries are written in the given order.
  mutating func add(_ entries: [(key: String, value: Int)]) -> Int {
    let keys = entries.map { add(.string($0.key)) }
    return add(.dictionary(keys: keys, values: entries.map(\.value)))
  }

  /// The list whose outermost object has a number.
  func list(root: Int) -> BinaryPropertyList { BinaryPropertyList(of: nodes, root: root) }
}
