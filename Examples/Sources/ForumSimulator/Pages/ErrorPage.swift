/// The pages with which the site refuses a request.
struct ErrorPage {
  let context: PageContext

  /// The page for guests, where the site requires an account.
  var mustRegister: String {
    standard(
      title: "Members only",
      message: """
        <b>Sorry, you must be a registered forums member to view this page.</b>
        <b>If you have an account, <a href="/account.php?action=loginform">log in here</a>.</b>
        """)
  }

  /// The page for accounts without the upgrade that private messages require.
  var platinumRequired: String {
    standard(
      title: "Upgrade needed",
      message: "Sorry, this page is only accessible to Platinum members.")
  }

  /// The page for accounts without the upgrade that archived threads require.
  var archivesRequired: String {
    standard(
      title: "Upgrade needed",
      message: "Sorry, this thread is in the archives. You need the archives upgrade to read it.")
  }

  /// Returns the page that names the member who cannot be ignored. The latest markup shows the name in bold.
  func ignoreRefused(_ user: SiteUser) -> String {
    let name = HTML.escaped(user.name)
    let printed = context.markup == .revision2025 ? "<b>\(name)</b>" : name
    return standard(
      title: "Not ignored",
      message: "Sorry \(printed) is a moderator/admin and you are not allowed to ignore them.")
  }

  /// Returns a standard error page with a title, and a message as HTML.
  func standard(title: String, message: String) -> String {
    let content = """
      <center>
      <div class="standard">
      <h2>\(title)</h2>
      <div class="inner">
      \(message)
      </div>
      </div>
      </center>
      """
    return PageFrame(context: context).page(
      title: PageContext.siteName, bodyClass: "standarderror", content: content)
  }

  /// Returns the response to a reply to a closed thread.
  func closed(_ thread: SiteThread) -> String {
    RedirectNotice(context: context).html(
      "Sorry! This thread is closed! You will now be returned to the thread.",
      to: "showthread.php?threadid=\(thread.id)")
  }

  /// The page for accounts that are banned or may not post. Early markup lacks the scheme of the help address.
  var banned: String {
    let scheme = context.markup == .revision2025 ? "https:" : ""
    return """
      <!DOCTYPE html>
      <html><head><title>\(PageContext.siteName)</title></head>
      <body id="something_awful" class="banned">
      <h1>Stay on shore, \(HTML.escaped(context.viewer?.name ?? ""))!</h1>
      <p><a href="/banlist.php?userid=\(context.viewer?.id ?? 0)&amp;actfilt=-1">Why this is so</a></p>
      <p><a href="\(scheme)//forums.lamplight.example/showthread.php?threadid=1">Ask for help</a></p>
      <p><a href="/account.php?action=logout">Log out</a></p>
      </body>
      </html>

      """
  }

  /// The page of a site whose database is unavailable.
  static let databaseUnavailable = """
    <!DOCTYPE html>
    <html><head><title>Database Unavailable</title></head>
    <body id="something_awful" class="database_error">
    <div id="closemsg">
    <div id="msg">
    <h1>Database Unavailable!</h1>
    The database has gone out in the rain. Please try again later.
    <br>
    </div>
    </div>
    </body>
    </html>

    """

  /// The login page of a network that requires payment.
  static let captivePortal = """
    <!DOCTYPE html>
    <html><head><title>Ferry Wireless</title></head>
    <body><h1>Welcome aboard</h1><form action="/accept"><button>Accept and connect</button></form>
    </body></html>

    """
}
