import Foundation
import OpenObjectModel
import OpenStoreContract

/// Reads and writes the metadata of an XML store, which is a property list inside the document.
enum XMLPropertyList {
  /// Returns the dictionary in a `plist` element; nil if the element does not contain a dictionary.
  static func dictionary(in element: MarkupElement) -> StoreMetadata? {
    guard element.name == "plist", let child = element.children.first else { return nil }
    return value(of: child) as? StoreMetadata
  }

  /// The depth of the recursion is limited by the nesting of the elements.
  private static func value(of element: MarkupElement) -> (any Sendable)? {
    let text = element.text.trimmingCharacters(in: .whitespacesAndNewlines)
    switch element.name {
    case "string": return element.text
    case "integer": return Int(text)
    case "real": return Double(text)
    case "true": return true
    case "false": return false
    case "data": return Data(base64Encoded: text, options: .ignoreUnknownCharacters)
    case "date": return (try? Date(text, strategy: .iso8601)) ?? Double(text).map(date)
    case "array":
      let members = element.children.map(value)
      return members.contains { $0 == nil } ? nil : members.compactMap { $0 }
    case "dict": return dictionary(of: element.children)
    default: return nil
    }
  }

  private static func date(_ seconds: Double) -> Date {
    Date(timeIntervalSinceReferenceDate: seconds)
  }

  private static func dictionary(of children: [MarkupElement]) -> StoreMetadata? {
    guard children.count.isMultiple(of: 2) else { return nil }
    var dictionary: StoreMetadata = [:]
    for place in stride(from: 0, to: children.count, by: 2) {
      guard children[place].name == "key", let value = value(of: children[place + 1]) else {
        return nil
      }
      dictionary[children[place].text] = value
    }
    return dictionary
  }

  /// Writes metadata.
  ///
  /// - Throws: `StoreError` with code `.unfitValue` if a property list or XML cannot contain a
  ///   value.
  static func write(_ metadata: StoreMetadata, to text: inout XMLText) throws(StoreError) {
    text.append("            <plist version=\"1.0\">\n")
    try write(metadata, depth: 4, to: &text)
    text.append("            </plist>\n")
  }

  private static func write(
    _ value: any Sendable, depth: Int, to text: inout XMLText
  ) throws(StoreError) {
    let margin = String(repeating: "    ", count: depth)
    text.append(margin)
    switch value {
    case let flag as Bool: text.append(flag ? "<true/>" : "<false/>")
    case let integer as Int: text.append("<integer>\(integer)</integer>")
    case let real as Double: text.append("<real>\(real)</real>")
    case let data as Data: text.append("<data>\(data.base64EncodedString())</data>")
    case let date as Date: writeDate(date, to: &text)
    case let string as String:
      try requireSayable(string)
      text.append("<string>")
      text.append(escaping: string)
      text.append("</string>")
    case let list as [any Sendable]:
      text.append("<array>\n")
      for member in list { try write(member, depth: depth + 1, to: &text) }
      text.append(margin + "</array>")
    case let dictionary as StoreMetadata:
      text.append("<dict>\n")
      for (key, value) in dictionary.sorted(by: { $0.key < $1.key }) {
        try requireSayable(key)
        text.append(margin + "    <key>")
        text.append(escaping: key)
        text.append("</key>\n")
        try write(value, depth: depth + 1, to: &text)
      }
      text.append(margin + "</dict>")
    default:
      throw StoreError(
        .unfitValue, "The metadata contains a value that a property list does not support.")
    }
    text.append("\n")
  }

  /// Writes a date. A date in whole seconds has the format of property lists. Any other date is
  /// written as seconds since 2001, so that its fraction is not lost.
  private static func writeDate(_ date: Date, to text: inout XMLText) {
    let seconds = date.timeIntervalSinceReferenceDate
    let isWhole = seconds == seconds.rounded() && abs(seconds) < 60_000_000_000
    text.append("<date>\(isWhole ? date.formatted(.iso8601) : "\(seconds)")</date>")
  }

  private static func requireSayable(_ string: String) throws(StoreError) {
    if XMLText.canSay(string) { return }
    throw StoreError(
      .unfitValue, "The metadata contains a string with characters that XML does not allow.")
  }
}
