/// A response of the site, and the changes that accompany it.
struct SiteAnswer {
  var response: SiteResponse
  var changes: [SiteChange] = []

  /// Returns a page, with the changes that showing it makes.
  static func page(_ html: String, changes: [SiteChange] = []) -> SiteAnswer {
    SiteAnswer(response: .page(html), changes: changes)
  }

  /// Returns a standard error page without changes.
  static func error(
    _ title: String, _ message: String, in context: PageContext, status: Int = 200
  ) -> SiteAnswer {
    let html = ErrorPage(context: context).standard(title: title, message: message)
    return SiteAnswer(response: .page(html, status: status))
  }

  /// Returns the short response of addresses that scripts call.
  static func done(_ change: SiteChange) -> SiteAnswer {
    SiteAnswer(response: .json("{\"success\":true}"), changes: [change])
  }
}
