/// The page about a member.
struct ProfilePage {
  private let context: PageContext
  private let user: SiteUser
  private let profile: SiteProfile
  private let posts: [SitePost]

  init(context: PageContext, user: SiteUser) {
    self.context = context
    self.user = user
    profile = SiteProfile(of: user)
    posts = context.state.posts(by: user.id)
  }

  var html: String {
    PageFrame(context: context).page(
      title: "\(PageContext.siteName) - User Profile For \(user.name)",
      bodyClass: context.markup == .revision2012 ? "" : "getinfo",
      content: """
        <table class="standard" style="width:800px;margin:0 auto;">
        <tr><th colspan="2">User Profile <span class="smalltext">\
        (<a href="search.php?action=do_search_posthistory&amp;userid=\(user.id)">find posts by user</a>)\
        </span></th></tr>
        <tr>
        \t<td id="thread">
        \(Sidebar(context: context).html(of: user.id))
        \t</td>
        \t<td class="info">
        \(description)
        \(contacts)
        \(facts)
        \t</td>
        </tr>
        <tr><td style="text-align:center" colspan="2">
        \(ignoreForm)
        </td></tr>
        </table>
        """)
  }

  private var name: String { HTML.escaped(user.name) }

  private var rate: String {
    let days = max((context.state.clock - user.registered) / 86_400, 1)
    return JSONText.hundredths(posts.count * 100 / days).text
  }

  private var description: String {
    let gender = profile.gender.map { "<i>\(name)</i> claims to be a \($0)." } ?? ""
    return """
      \t\t<h3>About \(name)</h3>
      \t\t<p>
      \t\tThere have been <b>\(posts.count)</b> posts made by <i>\(name)</i>, an
      \t\taverage of \(rate) posts per day, since registering on \
      <b>\(context.clock.dayOnly(user.registered))</b>.
      \t\t\(gender)
      \t\t</p>
      \t\t<p>\(HTML.escaped(profile.about))</p>
      """
  }

  private var contacts: String {
    let unset = "<span class=\"unset\">not set</span>"
    let homepage = profile.homepage.map {
      "<a href=\"\(HTML.escaped($0))\" target=\"_blank\">\(HTML.escaped($0))</a>"
    }
    return """
      \t\t<h3>Contact Information</h3>
      \t\t<dl class="contacts">
      \t\t\t\(message)
      \t\t\t<dt class="icq">ICQ</dt><dd>\(profile.icq.isEmpty ? unset : profile.icq)</dd>
      \t\t\t<dt class="aim">AIM</dt><dd>\(unset)</dd>
      \t\t\t<dt class="yahoo">Yahoo!</dt><dd>\(unset)</dd>
      \t\t\t<dt class="homepage">Home Page</dt><dd>\(homepage ?? unset)&nbsp;</dd>
      \t\t</dl>
      \t\t\(picture)
      """
  }

  private var message: String {
    guard user.acceptsMessages else { return "" }
    return """
      <dt class="pm">Message</dt><dd><a href="private.php?action=newmessage&amp;userid=\(user.id)">\
      Send a private message</a>&nbsp;</dd>
      """
  }

  private var picture: String {
    guard profile.hasPicture else { return "" }
    let address = MemberImages.picture(of: user.id)
    return "<h3>Picture</h3><div class=\"userpic\"><img src=\"\(address)\" alt=\"\"></div>"
  }

  /// The facts of the profile. The cell of the last post ends with a line break, as on the real page.
  private var facts: String {
    let optional = [
      ("Location", profile.location), ("Interests", profile.interests),
      ("Occupation", profile.occupation),
    ].filter { !$0.1.isEmpty }.map { "<dt>\($0)</dt><dd>\(HTML.escaped($1))</dd>" }
    let last = posts.last.map { "<dt>Last Post</dt><dd>\(context.clock.postDate($0.date))\n" } ?? ""
    return """
      \t\t<h3>Additional Info</h3>
      \t\t<dl class="additional">
      \t\t\t<dt>Member Since</dt><dd>\(context.clock.dayOnly(user.registered))</dd>
      \t\t\t<dt>Post Count</dt><dd>\(posts.count)</dd>
      \t\t\t<dt>Post Rate</dt><dd>\(rate) per day</dd>
      \t\t\t\(last)\(optional.joined())
      \t\t</dl>
      """
  }

  private var ignoreForm: String {
    guard context.viewer != nil else { return "" }
    return """
      <form method="POST" action="/member2.php">
      <input type="hidden" name="action" value="addlist">
      <input type="hidden" name="userlist" value="ignore">
      <input type="hidden" name="formkey" value="\(context.formKey)">
      <input type="hidden" name="userid" value="\(user.id)">
      <input type="submit" value="Add user to your Ignore List">
      </form>
      """
  }
}
