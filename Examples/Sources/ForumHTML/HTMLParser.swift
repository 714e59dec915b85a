import CGumbo
import Foundation
import Synchronization

/// Parses pages: checks the limits, runs the C parser on a thread with a known stack size, and copies the parser's tree.
///
/// The only file that uses the C parser's types; the C tree is freed before the copy is returned. Stateless and safe to use from
/// any thread.
public enum HTMLParser {
  /// The maximum number of elements that may be open at the same time.
  public static let depthLimit = 500
  /// The maximum number of attributes of one tag.
  public static let attributeLimit = 500
  /// The stack of the parsing thread, in bytes; freeing the C tree recurses once per level.
  private static let stackSizeInBytes = 16 * 1024 * 1024
  /// The longest time to parse one page, in seconds.
  private static let patienceInSeconds = 30

  /// Parses a page.
  ///
  /// - Parameter text: The decoded page.
  /// - Returns: The tree.
  /// - Throws: `PageError` with code `.empty`, `.tooLarge`, `.tooDeep`, `.tooManyAttributes`,
  ///   `.tooSlow` or `.parserFailed`.
  public static func parse(_ text: String) throws(PageError) -> HTMLDocument {
    var bytes = Array(text.utf8)
    guard !bytes.isEmpty else { throw PageError(.empty, "The page is empty.", position: 0) }
    // Decoding windows-1252 can triple the size; the decoder limits the number of received bytes.
    guard bytes.count <= 3 * PageDecoder.sizeLimitInBytes else {
      throw PageError(
        .tooLarge, "The page is too large. It has \(bytes.count) bytes as UTF-8.",
        position: 3 * PageDecoder.sizeLimitInBytes)
    }
    try NestingGuard.check(bytes)
    bytes.append(0)
    return try parseOnOwnThread(bytes)
  }

  /// The result of the parsing thread, delivered once.
  private final class Answer: Sendable {
    let document = Mutex<HTMLDocument?>(nil)
    let isReady = DispatchSemaphore(value: 0)
  }

  private static func parseOnOwnThread(_ bytes: [UInt8]) throws(PageError) -> HTMLDocument {
    let answer = Answer()
    let thread = Thread {
      let document = parseHere(bytes)
      answer.document.withLock { $0 = document }
      answer.isReady.signal()
    }
    thread.stackSize = stackSizeInBytes
    thread.start()
    guard answer.isReady.wait(timeout: .now() + .seconds(patienceInSeconds)) == .success else {
      throw PageError(.tooSlow, "The page could not be parsed within \(patienceInSeconds) seconds.")
    }
    guard let document = answer.document.withLock({ $0 }) else {
      throw PageError(.parserFailed, "The page could not be parsed.")
    }
    return document
  }

  /// Parses bytes that end with a zero byte, which does not belong to the page.
  private static func parseHere(_ bytes: [UInt8]) -> HTMLDocument? {
    bytes.withUnsafeBytes { buffer -> HTMLDocument? in
      guard let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self) else { return nil }
      var options = kGumboDefaultOptions
      guard let output = gumbo_parse_with_options(&options, start, buffer.count - 1) else {
        return nil
      }
      defer { gumbo_destroy_output(&options, output) }
      guard let document = output.pointee.document else { return nil }
      return HTMLDocument(records: copyTree(from: document))
    }
  }

  private typealias GumboNodePointer = UnsafeMutablePointer<GumboNode>

  /// Copies the tree in document order, without recursion.
  private static func copyTree(from document: GumboNodePointer) -> [HTMLRecord] {
    var records = [HTMLRecord(contents: .document, parent: 0, end: 1)]
    var open = [(index: 0, children: children(of: document), next: 0)]
    while let level = open.last {
      guard level.next < level.children.count else {
        records[level.index].end = records.count
        open.removeLast()
        continue
      }
      open[open.count - 1].next += 1
      let node = level.children[level.next]
      guard let contents = contents(of: node) else { continue }
      records.append(HTMLRecord(contents: contents, parent: level.index, end: records.count + 1))
      if case .element = contents {
        open.append((index: records.count - 1, children: children(of: node), next: 0))
      }
    }
    return records
  }

  private static func children(of node: GumboNodePointer) -> [GumboNodePointer] {
    let vector: GumboVector
    switch node.pointee.type {
    case GUMBO_NODE_DOCUMENT: vector = node.pointee.v.document.children
    case GUMBO_NODE_ELEMENT, GUMBO_NODE_TEMPLATE: vector = node.pointee.v.element.children
    default: return []
    }
    return (0..<Int(vector.length)).compactMap { place in
      vector.data?[place]?.assumingMemoryBound(to: GumboNode.self)
    }
  }

  private static func contents(of node: GumboNodePointer) -> HTMLRecord.Contents? {
    switch node.pointee.type {
    case GUMBO_NODE_ELEMENT, GUMBO_NODE_TEMPLATE:
      let element = node.pointee.v.element
      return .element(
        name: name(of: element), namespace: namespace(of: element),
        attributes: attributes(of: element))
    case GUMBO_NODE_TEXT, GUMBO_NODE_WHITESPACE, GUMBO_NODE_CDATA:
      return .text(String(cString: node.pointee.v.text.text))
    case GUMBO_NODE_COMMENT: return .comment(String(cString: node.pointee.v.text.text))
    default: return nil
    }
  }

  private static func name(of element: GumboElement) -> String {
    if element.tag != GUMBO_TAG_UNKNOWN {
      return gumbo_normalized_tagname(element.tag).map { String(cString: $0) } ?? ""
    }
    var piece = element.original_tag
    gumbo_tag_from_original_text(&piece)
    guard let start = piece.data else { return "" }
    let bytes = UnsafeBufferPointer(start: start, count: piece.length).map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self).lowercased()
  }

  private static func namespace(of element: GumboElement) -> HTMLElement.Namespace {
    switch element.tag_namespace {
    case GUMBO_NAMESPACE_SVG: .svg
    case GUMBO_NAMESPACE_MATHML: .mathML
    default: .html
    }
  }

  private static func attributes(of element: GumboElement) -> [HTMLAttribute] {
    (0..<Int(element.attributes.length)).compactMap { place in
      guard let entry = element.attributes.data?[place] else { return nil }
      let attribute = entry.assumingMemoryBound(to: GumboAttribute.self).pointee
      return HTMLAttribute(
        name: prefix(of: attribute) + String(cString: attribute.name),
        value: String(cString: attribute.value))
    }
  }

  /// Returns the prefix that the parser removes from the names of SVG and MathML attributes.
  private static func prefix(of attribute: GumboAttribute) -> String {
    switch attribute.attr_namespace {
    case GUMBO_ATTR_NAMESPACE_XLINK: "xlink:"
    case GUMBO_ATTR_NAMESPACE_XML: "xml:"
    case GUMBO_ATTR_NAMESPACE_XMLNS: String(cString: attribute.name) == "xmlns" ? "" : "xmlns:"
    default: ""
    }
  }
}
