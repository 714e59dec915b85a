package import Foundation

/// Reads a document of XML and gives the elements inside its root one by one, so that a long document is never in memory
/// as a tree.
///
/// Confined to one read.
package struct MarkupReader {
  private static let depthLimit = 64
  private let root: String
  private var scanner: XMLScanner
  private var isInside = false

  /// Starts a read.
  ///
  /// - Parameters:
  ///   - data: The document.
  ///   - root: The name that its root must have.
  /// - Throws: `MarkupFault` of kind `.foreign` when the data is no text in UTF-8.
  package init(_ data: Data, root: String) throws(MarkupFault) {
    self.root = root
    scanner = try XMLScanner(data)
  }

  /// The next element inside the root; nil at the root's end.
  ///
  /// - Throws: `MarkupFault` of kind `.foreign` for a document with another root, `.damaged` for one that is not well-formed.
  package mutating func next() throws(MarkupFault) -> MarkupElement? {
    var stack: [MarkupElement] = []
    while let token = try scanner.next() {
      switch token {
      case .start(let name, let attributes):
        guard isInside else {
          guard name == root else { throw foreign }
          isInside = true
          continue
        }
        guard stack.count < Self.depthLimit else {
          throw scanner.corrupt("Elements nest too deeply")
        }
        stack.append(MarkupElement(name: name, attributes: attributes))
      case .text(let text):
        if !stack.isEmpty { stack[stack.count - 1].text += text }
      case .end(let name):
        guard let element = stack.popLast() else {
          if isInside, name == root { return nil }
          throw scanner.corrupt("An element ends that did not begin")
        }
        guard element.name == name else { throw scanner.corrupt("Elements overlap") }
        if stack.isEmpty { return element }
        stack[stack.count - 1].children.append(element)
      }
    }
    if isInside { throw scanner.corrupt("The document does not end") }
    throw foreign
  }

  private var foreign: MarkupFault {
    MarkupFault(kind: .foreign, message: "The file is no XML store.")
  }
}
