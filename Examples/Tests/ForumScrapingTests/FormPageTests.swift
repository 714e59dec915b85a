import ForumHTML
import ForumScraping
import Testing

@Suite("Forms")
struct FormPageTests {
  @Test("A form is submitted completely, with only the pressed button")
  func submission() throws {
    let body = """
      <form action="newreply.php" method="POST" enctype="multipart/form-data">
      <input type="hidden" name="formkey" value="k"><textarea name="message">hi</textarea>
      <input type="checkbox" name="yes" value="1" checked><input type="checkbox" name="no" value="1">
      <input name="off" value="1" disabled><select name="s"><option value="a"><option value="b" selected></select>
      <input type="file" name="attachment"><input type="submit" name="submit" value="Go">
      <input type="submit" name="preview" value="Look"><input type="reset"></form>
      """
    let page = try PageScraper.scrape(MadePages.page(body)).expectForm(.replyForm)
    #expect(page.form.method == "post")
    #expect(page.form.controls.count == 10)
    #expect(
      page.form.submission(pressing: "preview").map(\.name) == [
        "formkey", "message", "yes", "s", "preview",
      ])
    #expect(page.form.submission(pressing: "submit").map(\.value) == ["k", "hi", "1", "b", "Go"])
  }

  @Test("A form emptied by its table receives the controls after it")
  func misnested() throws {
    let body = """
      <table><form action="newreply.php"><tr><td><textarea name="message">x</textarea></td></tr></form></table>
      """
    let page = try PageScraper.scrape(MadePages.page(body)).expectForm(.replyForm)
    #expect(page.form.controls.map(\.name) == ["message"])
  }

  @Test("The ignore list contains names and empty fields")
  func ignoreList() throws {
    let body = """
      <form action="member2.php" method="post"><input type="hidden" name="action" value="updatelist">
      <input name="listbits[]" value="Bo Reed"><input name="listbits[]"></form>
      """
    let page = try PageScraper.scrape(MadePages.page(body)).expectForm(.ignoreListForm)
    #expect(page.ignoredNames == ["Bo Reed"])
    #expect(page.emptyIgnoreSlots == 1)
  }

  @Test(
    "a list without a chosen option sends its first one that is enabled, if it shows one option")
  func defaultOption() throws {
    let body = """
      <form action="newreply.php" method="post"><textarea name="message"></textarea>
      <select name="a"><option disabled value="0"><option value="1"><option value="2"></select>
      <select name="b"><option value="1"><option value="2" selected></select>
      <select name="c" multiple><option value="1"></select>
      <select name="d" size="4"><option value="1"></select>
      <select name="e" disabled><option value="1"></select>
      <input type="submit" name="submit" value="Go"></form>
      """
    let page = try PageScraper.scrape(MadePages.page(body)).expectForm(.replyForm)
    let sent = page.form.submission(pressing: "submit").map { "\($0.name)=\($0.value)" }
    #expect(sent == ["message=", "a=1", "b=2", "submit=Go"])
    #expect(page.form.controls(named: "a").map(\.isChosen) == [false, false, false])
  }
}
