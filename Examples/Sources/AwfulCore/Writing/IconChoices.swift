public import ForumScraping

/// The icons that the site's form for a new thread offers, and the default icons.
public struct IconChoices: Sendable, Equatable {
  /// One list of icons.
  public struct List: Sendable, Equatable {
    /// The icons, in the site's order; empty if the form has no such list.
    public let icons: [ThreadIcon]
    /// The id that the form sends if the reader chooses no icon; nil if it sends none.
    public let defaultID: String?

    init(_ icons: [ThreadIcon], _ name: String, of form: ScrapedForm) {
      self.icons = icons
      defaultID = form.controls(named: name).first { $0.isChosen == true }?.value
    }
  }

  /// The icons for every forum.
  public let first: List
  /// The second icons, which only some forums have.
  public let second: List

  init(_ page: FormPage) {
    first = List(page.icons.primary, page.icons.primaryName, of: page.form)
    second = List(page.icons.secondary, page.icons.secondaryName, of: page.form)
  }
}
