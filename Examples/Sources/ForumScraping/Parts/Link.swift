import ForumHTML

/// Reads the addresses on pages, which are often invalid for a strict parser.
enum Link {
  /// Returns the value of a query parameter.
  ///
  /// - Parameters:
  ///   - name: The parameter's name.
  ///   - address: An absolute or relative address.
  /// - Returns: The value; nil if it is missing or empty.
  static func parameter(_ name: String, in address: String?) -> String? {
    guard let address, let mark = address.firstIndex(of: "?") else { return nil }
    let query = address[address.index(after: mark)...].prefix { $0 != "#" }
    for pair in query.split(whereSeparator: { $0 == "&" || $0 == ";" || $0 == "?" }) {
      let parts = pair.split(separator: "=", maxSplits: 1)
      if parts.count == 2, parts[0] == name { return String(parts[1]) }
    }
    return nil
  }

  /// Returns the part after `#`.
  ///
  /// - Parameter address: An address.
  /// - Returns: The fragment; nil if there is none.
  static func fragment(of address: String?) -> String? {
    guard let address, let mark = address.firstIndex(of: "#") else { return nil }
    let fragment = String(address[address.index(after: mark)...])
    return fragment.isEmpty ? nil : fragment
  }

  /// Returns the file name without folders, query, fragment and extension.
  ///
  /// - Parameter address: The address of an image.
  /// - Returns: The name; nil if there is none.
  static func imageName(of address: String?) -> String? {
    guard let address else { return nil }
    let path = address.prefix { $0 != "?" && $0 != "#" }
    guard let file = path.split(separator: "/").last else { return nil }
    guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return String(file) }
    return String(file[..<dot])
  }

  /// Returns the digits after a prefix in one of an element's class names, such as `userid-12`.
  ///
  /// - Parameters:
  ///   - prefix: The start of the class name.
  ///   - element: The element.
  /// - Returns: The digits; nil if no class name matches.
  static func number(after prefix: String, inClassesOf element: HTMLElement) -> String? {
    for name in element.classes where name.hasPrefix(prefix) {
      let digits = name.dropFirst(prefix.count)
      if !digits.isEmpty, digits.allSatisfy(\.isNumber) { return String(digits) }
    }
    return nil
  }
}

extension String {
  /// The text itself; nil if it is empty.
  var nonEmpty: String? { isEmpty ? nil : self }

  /// The number in the text, ignoring thousands separators and white space.
  var wholeNumber: Int? { Int(filter { $0 != "," && !$0.isWhitespace }) }
}
