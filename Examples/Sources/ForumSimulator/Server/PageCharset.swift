/// The charset that the header of pages states; the bytes are windows-1252 in any case.
public enum PageCharset: String, Sendable, Hashable, CaseIterable {
  /// The correct charset.
  case windows1252 = "windows-1252"
  /// A name that browsers treat as windows-1252.
  case latin1 = "iso-8859-1"
  /// An incorrect charset.
  case utf8 = "utf-8"
  /// The header names no charset.
  case none

  /// Returns a response with this charset in its header; JSON responses remain unchanged.
  func label(_ response: SiteResponse) -> SiteResponse {
    guard self != .windows1252 else { return response }
    var labelled = response
    labelled.headers = response.headers.map { header in
      guard header.name == "Content-Type", header.value == SiteResponse.pageContentType else {
        return header
      }
      let value = self == .none ? "text/html" : "text/html; charset=\(rawValue)"
      return SiteResponse.Header("Content-Type", value)
    }
    return labelled
  }
}
