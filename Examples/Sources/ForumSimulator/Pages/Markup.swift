/// The revision of the site's markup for rendered pages.
public enum Markup: String, Sendable, Hashable, CaseIterable {
  /// Page numbers in a drop-down list; plain arrows.
  case revision2012 = "2012"
  /// Page numbers in a drop-down list; account kinds among the classes of an author.
  case revision2021 = "2021"
  /// Page numbers as attributes of the page bar, without a drop-down list.
  case revision2025 = "2025"
}
