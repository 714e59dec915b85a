/// The row of a form that selects the second icon of a thread, in forums with second icons.
struct SecondIconRow {
  /// The name of the field.
  static let field = "tma_ama"

  let context: PageContext
  let chosenID: Int

  var html: String {
    let choices = SiteThread.Tag.second.map { tag in
      "<input type=\"radio\" name=\"\(Self.field)\" value=\"\(tag.id)\""
        + "\(tag.id == chosenID ? " checked" : "")><img src=\"\(context.image("\(tag.name).gif"))\" "
        + "border=\"0\"> \(tag.name)<br>"
    }
    return """
      <tr class="altcolor1">
      \t<td valign="top" nowrap><b>Thread Type:</b></td>
      \t<td>
      \(choices.joined(separator: "\n"))
      \t</td>
      </tr>
      """
  }
}
