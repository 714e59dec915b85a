extension ModelDiagram {
  /// The diagram as the text of an SVG picture, in which the boxes of the entities are arranged in
  /// columns.
  ///
  /// The picture does not need external scripts, styles or fonts.
  ///
  /// This is an addition to Apple's API.
  public var svg: String {
    let layout = DiagramLayout(self)
    let note = omissions.isEmpty ? 0 : 24
    let size = "width=\"\(layout.width)\" height=\"\(layout.height + note)\""
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" \(size) viewBox=\"0 0 \(layout.width) \(layout.height + note)\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\">",
      "<defs><marker id=\"parent\" viewBox=\"0 0 10 10\" refX=\"10\" refY=\"5\" markerWidth=\"12\" markerHeight=\"12\" orient=\"auto\"><path d=\"M0 0L10 5L0 10Z\" fill=\"#fff\" stroke=\"#555\"/></marker></defs>",
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>",
    ]
    for link in parents {
      let path = Self.path(layout.frames[link.child], to: layout.frames[link.parent])
      lines.append(
        "<path d=\"\(path)\" fill=\"none\" stroke=\"#555\" stroke-dasharray=\"5 3\" marker-end=\"url(#parent)\"/>"
      )
    }
    for link in links {
      let path = Self.path(
        layout.frames[link.source], link.sourceRow, to: layout.frames[link.destination],
        link.destinationRow)
      lines.append(
        "<path d=\"\(path)\" fill=\"none\" stroke=\"#7a9cc0\"><title>\(Self.escaped(link.label))</title></path>"
      )
    }
    for (box, frame) in zip(boxes, layout.frames) { lines += Self.lines(box, frame) }
    if !omissions.isEmpty {
      let omitted = omissions.joined(separator: ". ")
      lines.append(Self.text(omitted, DiagramLayout.margin, layout.height))
    }
    return lines.joined(separator: "\n") + "\n</svg>\n"
  }

  /// Returns a curve between the facing sides of two boxes; in one column, it bends to the right.
  private static func path(
    _ one: DiagramLayout.Frame, _ row: Int? = nil, to other: DiagramLayout.Frame,
    _ otherRow: Int? = nil
  ) -> String {
    let leavesRight = other.x >= one.x
    let entersRight = other.x <= one.x
    let (startX, startY) = (leavesRight ? one.x + one.width : one.x, one.line(at: row))
    let (endX, endY) = (entersRight ? other.x + other.width : other.x, other.line(at: otherRow))
    let bend = 70
    let first = startX + (leavesRight ? bend : -bend)
    let second = endX + (entersRight ? bend : -bend)
    return "M\(startX) \(startY)C\(first) \(startY) \(second) \(endY) \(endX) \(endY)"
  }

  private static func lines(_ box: Box, _ frame: DiagramLayout.Frame) -> [String] {
    let place = "x=\"\(frame.x)\" y=\"\(frame.y)\" width=\"\(frame.width)\""
    var lines = [
      "<rect \(place) height=\"\(frame.height)\" rx=\"4\" fill=\"#fdfdfd\" stroke=\"#333\"/>",
      "<rect \(place) height=\"22\" rx=\"4\" fill=\"#dde8f5\" stroke=\"#333\"/>",
      text(
        box.name, frame.x + frame.width / 2, frame.y + 15, anchor: "middle",
        style: box.isAbstract ? "font-style=\"italic\"" : "font-weight=\"bold\""),
    ]
    for (index, member) in box.members.enumerated() {
      let y = frame.y + 38 + index * DiagramLayout.lineHeight
      lines.append(
        text(member.name, frame.x + 8, y, color: member.isRelationship ? "#1f4e8c" : "#111"))
      lines.append(
        text(
          member.type, frame.x + frame.width - 8, y, anchor: "end",
          color: member.isRelationship ? "#1f4e8c" : "#777"))
    }
    return lines
  }

  private static func text(
    _ text: String, _ x: Int, _ y: Int, anchor: String = "start", color: String = "#111",
    style: String = ""
  ) -> String {
    guard !text.isEmpty else { return "" }
    let extra = style.isEmpty ? "" : " " + style
    return
      "<text x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor)\" fill=\"\(color)\"\(extra)>\(escaped(text))</text>"
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default:
        // XML cannot represent control characters.
        let isControl = scalar.value < 0x20 || (0xFFFE...0xFFFF).contains(scalar.value)
        escaped.unicodeScalars.append(isControl ? "\u{FFFD}" : scalar)
      }
    }
    return escaped
  }
}
