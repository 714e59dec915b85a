package import Foundation

/// A property list in Apple's binary format, as a flat table of its objects.
///
/// A value. Reading looks at every object once and never recurses: offsets and lengths are checked against
/// the data, and objects may not overlap, so that the table is never larger than the file warrants.
/// Foundation's own reader does not know the references of keyed archives.
package struct BinaryPropertyList: Sendable {
  /// The objects.
  package private(set) var nodes: [PropertyListNode]
  /// The number of the outermost object.
  package private(set) var root: Int

  private init(nodes: [PropertyListNode], root: Int) {
    self.nodes = nodes
    self.root = root
  }

  /// Creates a list of a table.
  ///
  /// - Parameters:
  ///   - nodes: The objects; the numbers in collections are places in it.
  ///   - root: The number of the outermost object.
  package init(of nodes: [PropertyListNode], root: Int) {
    self.init(nodes: nodes, root: root)
  }

  /// Reads a list.
  ///
  /// - Throws: `ModelError` with code `.malformed` when the data is no such list, or a damaged one.
  package init(_ data: Data) throws(ModelError) {
    var reader = try BinaryPropertyListReader(data)
    nodes = try reader.nodes()
    root = reader.root
  }

  /// An object by its number; nil when there is none.
  package subscript(number: Int) -> PropertyListNode? {
    nodes.indices.contains(number) ? nodes[number] : nil
  }

  /// The number of a dictionary's value; nil when there is none, or when the object is not a dictionary.
  ///
  /// Looks at the first 256 keys, which no object of a keyed archive reaches.
  package func value(_ key: String, in number: Int) -> Int? {
    guard case .dictionary(let keys, let values) = self[number] else { return nil }
    let wanted = PropertyListNode.string(key)
    for (place, candidate) in keys.prefix(256).enumerated() where self[candidate] == wanted {
      return values.indices.contains(place) ? values[place] : nil
    }
    return nil
  }

  /// The numbers of a dictionary's values, by key; none for an object that is no dictionary.
  func places(in number: Int) -> [String: Int] {
    guard case .dictionary(let keys, let values) = self[number] else { return [:] }
    var places: [String: Int] = [:]
    for (key, value) in zip(keys, values) {
      if case .string(let text)? = self[key] { places[text] = places[text] ?? value }
    }
    return places
  }

  /// The list in the binary format.
  ///
  /// Equal lists give equal bytes.
  package func encoded() -> Data { BinaryPropertyListWriter(self).data() }
}

extension ModelError {
  /// What is said of compiled files that cannot be read.
  static func damaged(_ reason: String) -> ModelError {
    ModelError(.malformed, "The compiled model is damaged: \(reason). Compile the model again.")
  }
}
