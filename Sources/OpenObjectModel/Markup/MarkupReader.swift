package import Foundation

/// Reads an XML document and returns the elements inside its root one by one.
///
/// A long document is therefore never in memory as a tree. Create a separate reader for each pass
/// over a document.
package struct MarkupReader {
  private static let depthLimit = 64
  private let root: String
  private var scanner: XMLScanner
  private var isInside = false

  /// Creates a reader at the start of a document.
  ///
  /// - Parameters:
  ///   - data: The document.
  ///   - root: The required name of the root element.
  /// - Throws: `MarkupFault` of kind `.foreign` if the data is not UTF-8 text.
  package init(_ data: Data, root: String) throws(MarkupFault) {
    self.root = root
    scanner = try XMLScanner(data)
  }

  /// Returns the next element inside the root element; nil at the end of the root element.
  ///
  /// - Throws: `MarkupFault` of kind `.foreign` if the document has another root element, or of
  ///   kind `.damaged` if the document is not well-formed, or if elements are nested more than 64
  ///   levels deep inside the root element.
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
          throw scanner.corrupt("Elements are nested too deeply")
        }
        stack.append(MarkupElement(name: name, attributes: attributes))
      case .text(let text):
        if !stack.isEmpty { stack[stack.count - 1].text += text }
      case .end(let name):
        guard let element = stack.popLast() else {
          if isInside, name == root { return nil }
          throw scanner.corrupt("An end tag has no start tag")
        }
        guard element.name == name else { throw scanner.corrupt("Elements overlap") }
        if stack.isEmpty { return element }
        stack[stack.count - 1].children.append(element)
      }
    }
    if isInside { throw scanner.corrupt("The root element has no end tag") }
    throw foreign
  }

  private var foreign: MarkupFault {
    MarkupFault(kind: .foreign, message: "The file is not an XML store.")
  }
}
