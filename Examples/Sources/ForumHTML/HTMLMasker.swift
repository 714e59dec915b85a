/// Writes the structure of a tree without its content, so that a page can be sent to the developers of the scraper.
///
/// Letters become `x` or `X` and digits become `0`, in text and in attribute values. Names of elements, attributes and classes
/// are kept, and so are the names of `.php` files and of parameters in addresses. Comments, scripts and styles are removed.
public enum HTMLMasker {
  /// Attributes whose values are part of the structure. Digits in these values are masked because they may be ids of members.
  private static let structural: Set<String> = [
    "class", "id", "name", "type", "method", "rel", "colspan", "rowspan", "enctype", "charset",
    "http-equiv",
  ]
  private static let addresses: Set<String> = ["href", "src", "action"]

  /// Returns a document as markup with masked text.
  public static func masked(_ document: HTMLDocument) -> String {
    var result = "<!DOCTYPE html>"
    append(contentsOf: document.root, to: &result)
    return result
  }

  private static func append(contentsOf element: HTMLElement, to result: inout String) {
    for node in element.nodes {
      switch node {
      case .text(let text): result += HTMLSerializer.escaped(masked(text), quotes: .keep)
      case .comment: break
      case .element(let child): append(child, to: &result)
      }
    }
  }

  private static func append(_ element: HTMLElement, to result: inout String) {
    if ["script", "style"].contains(element.name) { return }
    result += "<\(element.name)"
    for attribute in element.attributes {
      let value = masked(attribute.value, of: attribute.name)
      result += " \(attribute.name)=\"\(HTMLSerializer.escaped(value, quotes: .escape))\""
    }
    result += ">"
    if HTMLSerializer.isVoid(element) { return }
    append(contentsOf: element, to: &result)
    result += "</\(element.name)>"
  }

  private static func masked(_ value: String, of attribute: String) -> String {
    if structural.contains(attribute) { return maskingDigits(value) }
    if addresses.contains(attribute) { return maskedAddress(value) }
    return masked(value)
  }

  /// Returns an address with its path and values masked, except the name of a `.php` file and the names of parameters.
  private static func maskedAddress(_ address: String) -> String {
    let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts[0].split(separator: "/", omittingEmptySubsequences: false)
    let isScript = path.last?.hasSuffix(".php") == true
    let folders = path.dropLast().map { masked(String($0)) }
    let file = path.last.map { isScript ? String($0) : masked(String($0)) } ?? ""
    var result = (folders + [file]).joined(separator: "/")
    if parts.count > 1 {
      let parameters = parts[1].split(separator: "&", omittingEmptySubsequences: false).map {
        parameter in
        let pair = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return pair.count > 1 ? "\(pair[0])=\(masked(String(pair[1])))" : masked(String(pair[0]))
      }
      result += "?" + parameters.joined(separator: "&")
    }
    return result
  }

  private static func maskingDigits(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { isDigit($0) ? "0" : $0 }))
  }

  private static func masked(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          if isDigit(scalar) { return "0" }
          let properties = scalar.properties
          if properties.isUppercase { return "X" }
          // Characters of other scripts may also be part of a name.
          return properties.isAlphabetic || !scalar.isASCII && !properties.isWhitespace
            ? "x" : scalar
        }))
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.numericType != nil
  }
}
