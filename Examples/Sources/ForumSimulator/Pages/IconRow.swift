/// The row of a form that selects an icon.
struct IconRow {
  let context: PageContext
  let chosenID: Int

  var html: String {
    let places = SiteThread.Tag.all.map { tag in
      """
      <div class="posticon">
      <input type="radio" name="iconid" value="\(tag.id)"\(mark(tag.id))>
      <img src="\(context.image("posticons/\(tag.name).png"))" alt="\(tag.name)" width="60" height="15">
      </div>
      """
    }
    return """
      <tr>
      \t<td valign="top">
      <div class="mainbodytext"><b>Post Icons:</b></div>
      <div class="mainbodytextsmall"><input type="radio" name="iconid" value="0"\(mark(0))>\
      &nbsp;No icon</div>
      \t</td>
      \t<td>
      \(places.joined(separator: "\n"))
      \t</td>
      </tr>
      """
  }

  private func mark(_ id: Int) -> String {
    id == chosenID ? " checked" : ""
  }
}
