package import Foundation

/// Creates the descriptions of objects for `print` and the debugger: class, address and facts.
///
/// > Concurrency: Usable on any thread on which the facts may be read.
package enum DebugText {
  /// Returns the class and the address of an object: `<NSFetchRequest<Recipe>: 0x7f…>`.
  package static func name(of object: AnyObject) -> String {
    let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    return "<\(type(of: object)): 0x\(String(address, radix: 16))>"
  }

  /// Returns the description of an object: its class, its address and some facts.
  ///
  /// - Parameters:
  ///   - object: The object to describe.
  ///   - facts: The names and values of the facts. The method omits facts without a value.
  package static func text(of object: AnyObject, _ facts: KeyValuePairs<String, Any?>) -> String {
    let texts = facts.compactMap { name, value in value.map { "\(name): \(short($0))" } }
    return texts.isEmpty
      ? name(of: object) : "\(name(of: object)) (\(texts.joined(separator: "; ")))"
  }

  /// A string that is shown without quotation marks.
  package struct Verbatim: CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
  }

  /// Returns a short description of a value: long strings are truncated, and data is shown by its
  /// size.
  package static func short(_ value: Any) -> String {
    switch value {
    case let text as String: quoted(text)
    case let data as Data: "<\(data.count) bytes>"
    case let url as URL: withoutPasswords(url)
    case let date as Date: text(of: date)
    case let list as [Any] where list.count > limit:
      "(\(list.prefix(limit).map { short($0) }.joined(separator: ", ")), … \(list.count) in all)"
    case let list as [Any]: "(\(list.map { short($0) }.joined(separator: ", ")))"
    default: cut("\(value)")
    }
  }

  /// Returns a date in ISO 8601 format, or as seconds since 2001-01-01 UTC if ``isInCalendar(_:)``
  /// is false. For such a date, Foundation's own description terminates the program.
  package static func text(of date: Date) -> String {
    let seconds = date.timeIntervalSinceReferenceDate
    return isInCalendar(date)
      ? date.formatted(.iso8601) : "Date(timeIntervalSinceReferenceDate: \(seconds))"
  }

  /// Returns whether a date is within 2 × 10^11 seconds (about 6,300 years) of 2001-01-01 UTC.
  package static func isInCalendar(_ date: Date) -> Bool {
    abs(date.timeIntervalSinceReferenceDate) < 2e11
  }

  private static let limit = 10
  private static let textLimit = 200

  private static func quoted(_ text: String) -> String {
    "\"\(cut(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n"))\""
  }

  private static func cut(_ text: String) -> String {
    text.count > textLimit ? "\(text.prefix(textLimit))…" : text
  }

  /// Returns the path of a file URL, or the text of any other URL without its passwords, for logs.
  package static func withoutPasswords(_ url: URL) -> String {
    url.isFileURL ? url.path : url.withoutPasswords.absoluteString
  }
}

extension URL {
  /// The URL with an ellipsis instead of each password, for logs and errors.
  ///
  /// The property also replaces the value of each query parameter whose name contains `password` or
  /// `secret`, ignoring case.
  package var withoutPasswords: URL {
    let hidden = "…"
    func isSecret(_ item: URLQueryItem) -> Bool {
      let name = item.name.lowercased()
      return name.contains("password") || name.contains("secret")
    }
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true),
      parts.password != nil || parts.queryItems?.contains(where: isSecret) == true
    else { return self }
    if parts.password != nil { parts.password = hidden }
    parts.queryItems = parts.queryItems?.map { item in
      isSecret(item) ? URLQueryItem(name: item.name, value: hidden) : item
    }
    // The parts of a valid URL form a valid URL.
    return parts.url ?? URL(fileURLWithPath: hidden)
  }
}
