import Foundation

/// The first thread row or post table of a page, and the page with this element repeated.
struct RepeatedElement {
  private let body: Data
  private let element: Range<Data.Index>

  /// Finds the element; `nil` for a page without threads and posts.
  init?(in body: Data) {
    self.body = body
    for (start, end) in [
      ("<tr class=\"thread\" id=", "</tr>"), ("<tr class=\"thread closed\" id=", "</tr>"),
      ("<table class=\"post", "</table>"),
    ] {
      guard let first = body.range(of: Data(start.utf8)),
        let last = body.range(of: Data(end.utf8), in: first.upperBound..<body.endIndex)
      else { continue }
      element = first.lowerBound..<last.upperBound
      return
    }
    return nil
  }

  /// The page with the repeated element directly after the original.
  var repeatedInPlace: Data {
    body[..<element.upperBound] + body[element] + body[element.upperBound...]
  }

  /// The page with the repeated element after the last sibling.
  var repeatedAtEnd: Data {
    guard let place = body.range(of: Data("</tbody>".utf8), options: .backwards) else {
      return repeatedInPlace
    }
    return body[..<place.lowerBound] + body[element] + body[place.lowerBound...]
  }
}
