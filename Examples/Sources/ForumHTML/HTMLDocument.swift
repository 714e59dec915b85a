import Synchronization

/// An attribute of an element.
public struct HTMLAttribute: Sendable, Equatable {
  /// The name, in lower case for HTML elements.
  public let name: String
  /// The value, with its character references resolved.
  public let value: String
}

/// One node as stored: nodes lie in document order, and `end` is the index after the node's last
/// descendant.
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
/// Made by `HTMLParser`, shared freely between threads, kept alive by its elements. It never refers
/// to the parser's own tree.
public final class HTMLDocument: Sendable {
  /// Where an element stands among the elements under its parent.
  struct Place: Sendable {
    /// The element before it; nil for the first one.
    var previous: Int?
    /// Its number among those of its name, from 1.
    var numberOfName = 1
  }

  let records: [HTMLRecord]
  private let knownPlaces = Mutex<[Place]?>(nil)

  init(records: [HTMLRecord]) { self.records = records }

  /// One for each record, worked out when a selector asks for it first; those of other nodes mean nothing.
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

  /// Finds out all places in one pass, so that pages with many elements side by side take no longer for each of them.
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

  /// The `<body>` element, or the document node when there is none.
  public var body: HTMLElement {
    root.descendants.first { $0.name == "body" } ?? root
  }

  /// All elements that match a selector, in document order.
  ///
  /// - Parameter selector: A CSS selector.
  /// - Returns: The matching elements.
  /// - Throws: `PageError` with code `.malformedSelector`.
  public func select(_ selector: String) throws(PageError) -> [HTMLElement] {
    try root.select(selector)
  }

  /// The first element that matches a selector.
  ///
  /// - Parameter selector: A CSS selector.
  /// - Returns: The element, or nil when nothing matches.
  /// - Throws: `PageError` with code `.malformedSelector`.
  public func first(_ selector: String) throws(PageError) -> HTMLElement? {
    try root.first(selector)
  }
}
