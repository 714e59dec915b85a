import ForumHTML
import ForumScraping
import Testing

@Suite("Lists of private messages")
struct MessageListPageTests {
  private let folders = """
    <form class="folder"><select name="folderid"><option value="0" selected>Inbox</option></select></form>
    """

  private func list(_ rows: String, folders: String) throws -> MessageListPage {
    let body = "\(folders)<table class=\"standard\"><tbody>\(rows)</tbody></table>"
    return try PageScraper.scrape(MadePages.page(body, attributes: "class=\"privfolder\""))
      .expectMessageList()
  }

  private func row(_ link: String) -> String {
    """
    <tr><td class="status"></td><td class="title"><a href="private.php?\(link)">Larks</a></td>
    <td class="sender">Ada Fern</td></tr>
    """
  }

  @Test("A page that lacks the list of folders, or the id of a message, is unreadable")
  func missingParts() throws {
    let known = row("privatemessageid=7")
    #expect(try list(known, folders: folders).messages.map(\.id) == ["7"])
    for (rows, folders) in [(known, ""), (known + row("pm=8"), folders)] {
      let error = #expect(throws: PageError.self) { try list(rows, folders: folders) }
      #expect(error?.code == .missingMarker)
    }
  }

  @Test("A folder without messages is a list, also with a row that says so")
  func empty() throws {
    for rows in ["", "<tr><td class=\"title\" colspan=\"6\">No messages</td></tr>"] {
      #expect(try list(rows, folders: folders).messages.isEmpty)
    }
  }
}
