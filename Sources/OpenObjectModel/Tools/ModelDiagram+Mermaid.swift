extension ModelDiagram {
  /// The text of a Mermaid class diagram, which shows inheritance and the possible number of
  /// destinations of each relationship.
  ///
  /// This is an addition to Apple's API.
  public var mermaid: String {
    var lines = ["classDiagram"] + omissions.map { "  %% \($0)" }
    for (index, box) in boxes.enumerated() {
      lines.append("  class E\(index)[\"\(Self.escaped(box.name))\"] {")
      if box.isAbstract { lines.append("    <<abstract>>") }
      for member in box.members where !member.isRelationship {
        lines.append("    \(Self.escaped(member.type)) \(Self.escaped(member.name))")
      }
      lines.append("  }")
    }
    for link in parents { lines.append("  E\(link.parent) <|-- E\(link.child)") }
    for link in links {
      let start = link.sourceCount.isEmpty ? "" : " \"\(link.sourceCount)\""
      lines.append(
        "  E\(link.source)\(start) --> \"\(link.destinationCount)\" E\(link.destination) : \(Self.escaped(link.label))"
      )
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns text with everything except letters, digits and spaces replaced by character numbers.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      let isPlain =
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || " _./?…".unicodeScalars.contains(scalar)
      if isPlain { escaped.unicodeScalars.append(scalar) } else { escaped += "#\(scalar.value);" }
    }
    return escaped
  }
}
