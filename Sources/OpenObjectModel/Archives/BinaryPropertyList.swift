package import Foundation

/// A property list in Apple's binary format, as a flat table of its objects.
///
/// Reading visits every object once and does not recurse. The reader checks offsets and lengths
/// against the data and rejects overlapping objects. The table therefore cannot contain more
/// objects than the file has bytes. Foundation's own reader does not support the references of
/// keyed archives.
package struct BinaryPropertyList: Sendable {
  /// The objects of the list.
  package private(set) var nodes: [PropertyListNode]
  /// The number of the outermost object.
  package private(set) var root: Int

  private init(nodes: [PropertyListNode], root: Int) {
    self.nodes = nodes
    self.root = root
  }

  /// Creates a list from a table of objects.
  ///
  /// - Parameters:
  ///   - nodes: The objects; numbers in collections are positions in this array.
  ///   - root: The number of the outermost object.
  package init(of nodes: [PropertyListNode], root: Int) {
    self.init(nodes: nodes, root: root)
  }

  /// Reads a property list.
  ///
  /// - Throws: `ModelError` with code `.malformed` if the data is not a binary property list, or is
  ///   damaged.
  package init(_ data: Data) throws(ModelError) {
    var reader = try BinaryPropertyListReader(data)
    nodes = try reader.nodes()
    root = reader.root
  }

  /// Returns the object with the given number; nil if there is none.
  package subscript(number: Int) -> PropertyListNode? {
    nodes.indices.contains(number) ? nodes[number] : nil
  }

  /// Returns the number of a dictionary's value; nil if the key is absent or the object is not a
  /// dictionary.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - number: The number of the dictionary.
  ///   - limit: The maximum number of keys to search; a later key counts as absent. Of the objects
  ///     in keyed archives, only large ordered sets have more than 256 keys.
  package func value(_ key: String, in number: Int, searching limit: Int = 256) -> Int? {
    guard case .dictionary(let keys, let values) = self[number] else { return nil }
    let wanted = PropertyListNode.string(key)
    for (place, candidate) in keys.prefix(limit).enumerated() where self[candidate] == wanted {
      return values.indices.contains(place) ? values[place] : nil
    }
    return nil
  }

  /// Returns the numbers of a dictionary's values by key; empty if the object is not a dictionary.
  func places(in number: Int) -> [String: Int] {
    guard case .dictionary(let keys, let values) = self[number] else { return [:] }
    var places: [String: Int] = [:]
    for (key, value) in zip(keys, values) {
      if case .string(let text)? = self[key] { places[text] = places[text] ?? value }
    }
    return places
  }

  /// Returns the list in the binary format; equal lists produce equal bytes.
  package func encoded() -> Data { BinaryPropertyListWriter(self).data() }
}

extension ModelError {
  /// Creates the error for an archive that cannot be read.
  static func damaged(_ reason: String) -> ModelError {
    ModelError(.malformed, "The archive is damaged: \(reason).")
  }

  /// Returns the error for a damaged archive with the name of the archive's content and with the
  /// remedy; returns any other error unchanged.
  func ofArchive(of content: String, remedy: String) -> ModelError {
    let start = "The archive is damaged:"
    guard code == .malformed, message.hasPrefix(start) else { return self }
    var error = self
    error.message = "The \(content) is damaged:" + message.dropFirst(start.count) + " " + remedy
    return error
  }
}
