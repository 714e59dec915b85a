import Foundation

/// Maps addresses of the site to the reader's own pages, so that links between stored pages work offline.
struct SiteLinks: Sendable {
  let base: URL?

  /// Returns the path of the page that shows the target of an address of the site, or nil for any other address.
  func path(for address: URL) -> String? {
    guard let base, address.host == base.host, address.port == base.port,
      let parts = URLComponents(url: address, resolvingAgainstBaseURL: false)
    else { return nil }
    let page = parts.path.split(separator: "/").last.map(String.init) ?? ""
    func number(_ name: String) -> String? {
      let value = parts.queryItems?.last { $0.name == name }?.value
      return value.flatMap { $0.isNumber ? $0 : nil }
    }
    switch page {
    case "showthread.php":
      if let post = number("postid") { return "/posts/\(post)" }
      guard let thread = number("threadid") else { return nil }
      let anchor = post(in: parts.fragment).map { "#post\($0)" } ?? ""
      return "/threads/\(thread)" + (number("pagenumber").map { "?page=\($0)" } ?? "") + anchor
    case "forumdisplay.php": return number("forumid").map { "/forums/\($0)" }
    case "member.php":
      let isProfile = parts.queryItems?.contains { $0.name == "action" && $0.value == "getinfo" }
      return isProfile == true ? number("userid").map { "/members/\($0)" } : nil
    default: return own(parts)
    }
  }

  /// Returns the path of the page for a typed address of the site, or nil if the text is not such an address.
  ///
  /// If the site's address is unknown, because the program does not connect to the site, the host of the typed address counts as the
  /// site's.
  func path(typed text: String) -> String? {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard let address = URL(string: text), ["http", "https"].contains(address.scheme?.lowercased())
    else { return nil }
    return SiteLinks(base: base ?? address).path(for: address)
  }

  /// Returns the digits after "post" in a fragment, or nil for any other fragment.
  private func post(in fragment: String?) -> String? {
    guard let digits = fragment.flatMap({ $0.hasPrefix("post") ? $0.dropFirst(4) : nil }),
      digits.isNumber
    else { return nil }
    return String(digits)
  }

  /// Returns a path that this type created, or nil for any other path.
  private func own(_ parts: URLComponents) -> String? {
    let names = parts.path.split(separator: "/").map(String.init)
    guard names.count >= 2,
      ["posts", "threads", "forums", "members"].contains(names[names.count - 2]),
      names[names.count - 1].isNumber
    else { return nil }
    var path = "/\(names[names.count - 2])/\(names[names.count - 1])"
    if let page = parts.queryItems?.first(where: { $0.name == "page" })?.value.flatMap({ Int($0) })
    {
      path += "?page=\(page)"
    }
    return path + (post(in: parts.fragment).map { "#post\($0)" } ?? "")
  }
}

extension StringProtocol {
  /// Whether the text consists only of digits.
  fileprivate var isNumber: Bool { !isEmpty && utf8.allSatisfy { (0x30...0x39).contains($0) } }
}
