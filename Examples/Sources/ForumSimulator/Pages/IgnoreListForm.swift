/// The page with the form of the ignore list: a field for each name and two empty fields.
struct IgnoreListForm {
  let context: PageContext
  let names: [String]

  var html: String {
    let boxes = names.map { box("value=\"\(HTML.escaped($0))\" ") } + [box(""), box("")]
    return PageFrame(context: context).page(
      title: "Edit Ignore List - \(PageContext.siteName)", bodyClass: "listedit",
      content: """
        \(ControlPanel(context: context).breadcrumbs("Edit Ignore List"))
        \(ControlPanel(context: context).navigation)
        <form action="member2.php" method="post">
        <input type="hidden" name="action" value="updatelist">
        <input type="hidden" name="userlist" value="ignore">
        <input type="hidden" name="formkey" value="\(context.formKey)">
        <div class="standard">
        <h2>Edit Ignore List</h2>
        <div class="inner">
        \(boxes.joined(separator: "\n"))
        <br>
        <input type="submit" class="bginput" name="submit" value="Update list">
        <input type="reset" class="bginput" name="Reset" value="Reset Fields">
        </div>
        </div>
        </form>
        """)
  }

  private func box(_ value: String) -> String {
    "<input type=\"text\" class=\"bginput\" name=\"listbits[]\" \(value)size=\"30\"><br>"
  }
}
