/// An answer of the site, and the changes that go with it.
struct SiteAnswer {
  var response: SiteResponse
  var changes: [SiteChange] = []

  /// A page, and what showing it changes.
  static func page(_ html: String, changes: [SiteChange] = []) -> SiteAnswer {
    SiteAnswer(response: .page(html), changes: changes)
  }

  /// A standard error: nothing changes.
  static func error(
    _ title: String, _ message: String, in context: PageContext, status: Int = 200
  ) -> SiteAnswer {
    let html = ErrorPage(context: context).standard(title: title, message: message)
    return SiteAnswer(response: .page(html, status: status))
  }

  /// The short answer of addresses that scripts call.
  static func done(_ change: SiteChange) -> SiteAnswer {
    SiteAnswer(response: .json("{\"success\":true}"), changes: [change])
  }
}
