import Synchronization

/// An attribute of an element.
public struct HTMLAttribute: Sendable, Equatable {
  /// The name, in lower case for HTML elements.
  public let name: String
  /// The value, with resolved character references.
  public let value: String
}

/// One stored node. Nodes are in document order, and `end` is the index after the node's last descendant.
struct HTMLRecord: Sendable {
  enum Contents: Sendable {
    case document
    case element(name: String, namespace: HTMLElement.Namespace, attributes: [HTMLAttribute])
    case text(String)
    case comment(String)
  }

  let contents: Contents
  let parent: Int
  var end: Int
}

/// A parsed page: an immutable tree of nodes in one array.
///
/// Created by `HTMLParser`, shared freely between threads and retained by its elements. A document never refers to the parser's
/// own tree.
public final class HTMLDocument: Sendable {
  /// The position of an element among the elements under its parent.
  struct Place: Sendable {
    /// The preceding element; nil for the first element.
    var previous: Int?
    /// The position among the elements of the same name, from 1.
    var numberOfName = 1
  }

  let records: [HTMLRecord]
  private let knownPlaces = Mutex<[Place]?>(nil)

  init(records: [HTMLRecord]) { self.records = records }

  /// One place for each record, computed when a selector first needs it; the places of other nodes have no meaning.
  var places: [Place] {
    knownPlaces.withLock { known in
      let places = known ?? Self.places(of: records)
      known = places
      return places
    }
  }

  private struct NameUnderParent: Hashable {
    let parent: Int
    let name: String
  }

  /// Computes all places in one pass, so that the time for each element does not grow with the number of its siblings.
  private static func places(of records: [HTMLRecord]) -> [Place] {
    var places = Array(repeating: Place(), count: records.count)
    var last: [Int: Int] = [:]
    var counts: [NameUnderParent: Int] = [:]
    for (index, record) in records.enumerated() {
      guard case .element(let name, _, _) = record.contents else { continue }
      places[index].previous = last.updateValue(index, forKey: record.parent)
      let key = NameUnderParent(parent: record.parent, name: name)
      places[index].numberOfName = counts[key, default: 0] + 1
      counts[key] = places[index].numberOfName
    }
    return places
  }

  /// The document node, above `<html>`.
  public var root: HTMLElement { HTMLElement(document: self, index: 0) }

  /// The `<body>` element; the document node if there is none.
  public var body: HTMLElement {
    root.descendants.first { $0.name == "body" } ?? root
  }

  /// Returns all elements that match a selector, in document order.
  ///
  /// - Parameter selector: A CSS selector.
  /// - Returns: The matching elements.
  /// - Throws: `PageError` with code `.malformedSelector` if the selector cannot be parsed.
  public func select(_ selector: String) throws(PageError) -> [HTMLElement] {
    try root.select(selector)
  }

  /// Returns the first element that matches a selector.
  ///
  /// - Parameter selector: A CSS selector.
  /// - Returns: The element; nil if no element matches.
  /// - Throws: `PageError` with code `.malformedSelector` if the selector cannot be parsed.
  public func first(_ selector: String) throws(PageError) -> HTMLElement? {
    try root.first(selector)
  }
}
