/// Collects the objects of a property list; equal scalars are stored once.
struct PropertyListBuilder {
  private(set) var nodes: [PropertyListNode] = []
  private var numbers: [PropertyListNode: Int] = [:]

  /// Adds an object and returns its number.
  mutating func add(_ node: PropertyListNode) -> Int {
    if node.isScalar, let known = numbers[node] { return known }
    let number = nodes.count
    nodes.append(node)
    if node.isScalar { numbers[node] = number }
    return number
  }

  /// Adds a dictionary with entries in the given order, and returns its number.
  mutating func add(_ entries: [(key: String, value: Int)]) -> Int {
    let keys = entries.map { add(.string($0.key)) }
    return add(.dictionary(keys: keys, values: entries.map(\.value)))
  }

  /// Returns the list whose outermost object has the given number.
  func list(root: Int) -> BinaryPropertyList { BinaryPropertyList(of: nodes, root: root) }
}
