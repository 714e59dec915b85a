/// One page of the list of punishments.
struct PunishmentsPage {
  static let pageSize = 50

  let context: PageContext
  /// The only account whose punishments are shown; `nil` for all accounts.
  let onlyUserID: Int?
  let page: Int

  var html: String {
    let all = context.state.punishments.filter { onlyUserID == nil || $0.userID == onlyUserID }
    let slice = PageSlice(count: all.count, pageSize: Self.pageSize, page: page)
    let bar = PageBar(
      page: slice.page, pageCount: slice.pageCount,
      address: "banlist.php?userid=\(onlyUserID.map { "\($0)" } ?? "")&amp;actfilt=-1",
      markup: context.markup)
    return PageFrame(context: context).page(
      title: "The Cellar - \(PageContext.siteName)", bodyClass: "banlist",
      content: """
        <div class="standard" id="main_full">
        <h2>The Cellar</h2>
        <div class="inner">
        <div class="mqnav">\(bar.html(classes: "pages"))</div>
        <a name="list"></a>
        <table class="standard full" style="clear:left;">
        <tr><th>Type</th><th nowrap>Date</th><th>Member</th><th>Reason</th>\
        <th nowrap>Requested By</th><th nowrap>Approved By</th></tr>
        \(all[slice.positions].map(row).joined(separator: "\n"))
        </table>
        <div class="mqnav">\(bar.html(classes: "pages"))</div>
        </div>
        </div>
        """)
  }

  private func row(_ punishment: SitePunishment) -> String {
    let word = punishment.sentence.rawValue
    let type =
      punishment.postID.map {
        "<a href=\"/showthread.php?goto=post&amp;postid=\($0)\" target=\"new\">\(word)</a>"
      } ?? word
    return """
      <tr><td align="left"><b>\(type)</b></td>\
      <td nowrap>\(context.clock.punishmentDate(punishment.date))</td>\
      <td nowrap><b>\(link(punishment.userID))</b></td>\
      <td>\(HTML.escaped(punishment.reason))</td>\
      <td nowrap>\(link(punishment.requesterID))</td>\
      <td nowrap>\(link(punishment.approverID))</td></tr>
      """
  }

  private func link(_ userID: Int) -> String {
    "<a href=\"/member.php?s=&amp;action=getinfo&amp;userid=\(userID)\" target=\"_blank\">"
      + "\(HTML.escaped(context.state.userName(userID)))</a>"
  }
}
