/// What the header of pages says about their bytes, which are windows-1252 whatever it says.
public enum PageCharset: String, Sendable, Hashable, CaseIterable {
  /// The truth.
  case windows1252 = "windows-1252"
  /// The name that browsers take for windows-1252.
  case latin1 = "iso-8859-1"
  /// A name that is wrong.
  case utf8 = "utf-8"
  /// The header names no charset.
  case none

  /// An answer whose header says so; JSON stays as it is.
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
