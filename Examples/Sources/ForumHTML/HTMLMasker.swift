/// Writes the structure of a tree without what people wrote in it, so that a page can be sent to those who mend its reader.
///
/// Letters become `x` or `X` and digits `0`, in texts and in the values of attributes. Names of elements, attributes and classes stay,
/// and the names of files and parameters in addresses. Comments, scripts and styles are left out.
public enum HTMLMasker {
  /// Attributes whose values are part of the structure. Their digits are masked, which may be ids of people.
  private static let structural: Set<String> = [
    "class", "id", "name", "type", "method", "rel", "colspan", "rowspan", "enctype", "charset",
    "http-equiv",
  ]
  private static let addresses: Set<String> = ["href", "src", "action"]

  /// A document as markup without its texts.
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

  /// An address of which the file's name and the names of parameters stay.
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
          // Signs of other scripts could be part of a name as well.
          return properties.isAlphabetic || !scalar.isASCII && !properties.isWhitespace
            ? "x" : scalar
        }))
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.numericType != nil
  }
}
