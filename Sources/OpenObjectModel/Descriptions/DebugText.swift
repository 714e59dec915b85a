package import Foundation

/// The texts that `print` and the debugger show of objects: class, address and facts.
///
/// > Concurrency: Any thread, as far as the facts allow it.
package enum DebugText {
  /// The class and the address of an object: `<NSFetchRequest<Recipe>: 0x7f…>`.
  package static func name(of object: AnyObject) -> String {
    let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    return "<\(type(of: object)): 0x\(String(address, radix: 16))>"
  }

  /// The text of an object with some facts; those without value are omitted.
  package static func text(of object: AnyObject, _ facts: KeyValuePairs<String, Any?>) -> String {
    let texts = facts.compactMap { name, value in value.map { "\(name): \(short($0))" } }
    return texts.isEmpty
      ? name(of: object) : "\(name(of: object)) (\(texts.joined(separator: "; ")))"
  }

  /// A text that is shown as it is.
  package struct Verbatim: CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
  }

  /// A value in few words: long texts are cut, data are counted.
  package static func short(_ value: Any) -> String {
    switch value {
    case let text as String: quoted(text)
    case let data as Data: "<\(data.count) bytes>"
    case let url as URL: withoutPassword(url)
    case let date as Date: text(of: date)
    case let list as [Any] where list.count > limit:
      "(\(list.prefix(limit).map { short($0) }.joined(separator: ", ")), … \(list.count) in all)"
    case let list as [Any]: "(\(list.map { short($0) }.joined(separator: ", ")))"
    default: cut("\(value)")
    }
  }

  /// A date; Foundation's own text of one that no calendar reaches ends the program.
  package static func text(of date: Date) -> String {
    let seconds = date.timeIntervalSinceReferenceDate
    return isInCalendar(date)
      ? date.formatted(.iso8601) : "Date(timeIntervalSinceReferenceDate: \(seconds))"
  }

  /// Whether a date is within some thousand years.
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

  /// A URL as it may stand in a log.
  package static func withoutPassword(_ url: URL) -> String {
    guard url.password != nil, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
    else { return url.isFileURL ? url.path : url.absoluteString }
    parts.password = "…"
    return parts.string ?? url.host ?? ""
  }
}
