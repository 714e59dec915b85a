internal import Foundation

#if canImport(FoundationXML)
  internal import FoundationXML
#endif

/// An XML element of a model document, before references are resolved.
final class DocumentElement {
  let name: String
  let attributes: [String: String]
  /// The line in the document, starting at 1.
  let line: Int
  fileprivate(set) var children: [DocumentElement] = []

  init(name: String, attributes: [String: String], line: Int) {
    self.name = name
    self.attributes = attributes
    self.line = line
  }

  subscript(key: String) -> String? { attributes[key] }

  /// Returns whether a flag is set; a missing flag is not set.
  func flag(_ key: String) -> Bool { attributes[key]?.uppercased() == "YES" }

  func children(_ name: String) -> [DocumentElement] { children.filter { $0.name == name } }
}

/// Parses XML into elements; rejects deep nesting, excessive size, and entity declarations.
final class DocumentParser: NSObject, XMLParserDelegate {
  private var stack: [DocumentElement] = []
  private var root: DocumentElement?
  private var failure: ModelError?
  private var elementCount = 0
  private static let depthLimit = 64
  /// The maximum number of elements, many times that of the largest known models.
  private static let elementLimit = 200_000
  private static let sizeLimitInBytes = 64 << 20

  /// Returns the root element of a document.
  ///
  /// - Throws: `ModelError` with the line of the first error.
  static func parse(_ data: Data, path: String) throws(ModelError) -> DocumentElement {
    try checkSize(data, path: path)
    let delegate = DocumentParser()
    let parser = XMLParser(data: data)
    parser.shouldResolveExternalEntities = false
    parser.delegate = delegate
    let succeeded = parser.parse()
    if var failure = delegate.failure {
      failure.path = path
      throw failure
    }
    // Some systems report success although elements are not closed.
    guard succeeded, delegate.stack.isEmpty, let root = delegate.root else {
      throw ModelError(
        .malformed,
        "The model document is not well-formed XML. Correct it, or save it again in Xcode.",
        path: path,
        line: max(1, parser.lineNumber))
    }
    return root
  }

  /// Rejects documents that are too large or declare a document type, which could expand without
  /// bound.
  private static func checkSize(_ data: Data, path: String) throws(ModelError) {
    if data.count > sizeLimitInBytes {
      throw ModelError(.malformed, "The model document is larger than 64 MiB.", path: path)
    }
    // The system's parser terminates the process for some bytes that are not valid UTF-8.
    let isText = String(validating: data, as: UTF8.self) != nil
    if data.range(of: Data("<!DOCTYPE".utf8)) != nil || data.contains(0) || !isText {
      throw ModelError(
        .malformed,
        "The model document contains a document type declaration, or is not encoded in UTF-8. Save it again in Xcode.",
        path: path)
    }
  }

  private func refuse(_ message: String, at parser: XMLParser) {
    if failure == nil { failure = ModelError(.malformed, message, line: parser.lineNumber) }
    parser.abortParsing()
  }

  func parser(
    _ parser: XMLParser, foundInternalEntityDeclarationWithName name: String, value: String?
  ) {
    refuse(
      "The model document contains declarations of XML entities. Remove the declarations.",
      at: parser)
  }

  func parser(
    _ parser: XMLParser, foundExternalEntityDeclarationWithName name: String, publicID: String?,
    systemID: String?
  ) {
    refuse(
      "The model document contains declarations of XML entities. Remove the declarations.",
      at: parser)
  }

  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    guard failure == nil else { return }
    let element = DocumentElement(
      name: elementName, attributes: attributes, line: parser.lineNumber)
    if let parent = stack.last { parent.children.append(element) } else { root = element }
    stack.append(element)
    elementCount += 1
    if stack.count > Self.depthLimit {
      refuse("The elements of the model document are nested too deeply.", at: parser)
    } else if elementCount > Self.elementLimit {
      refuse("The model document has more than \(Self.elementLimit) elements.", at: parser)
    }
  }

  func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
    guard failure == nil else { return }
    failure = ModelError(
      .malformed,
      "The model document is not well-formed XML. Correct it, or save it again in Xcode.",
      line: max(1, parser.lineNumber))
  }

  func parser(
    _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?,
    qualifiedName: String?
  ) {
    if !stack.isEmpty { stack.removeLast() }
  }
}
