import AwfulCore
import ForumHTML
import WebPages

/// The markup of a member's avatar and title. The title is cleaned, because it is the site's markup.
struct MemberTitle {
  /// The id of the member on the site; empty if it is unknown.
  let userID: String
  /// The title as markup.
  let title: String
  /// The name of the class of the title's element.
  let className: String
  /// The stored images.
  let pictures: MemberPictures

  /// Returns the avatar and the title. An avatar that cannot be stored stays in the title, where the cleaner handles it like other images.
  @MarkupBuilder
  func markup(_ cleaner: HTMLCleaner) -> Markup {
    let divided = AuthorTitle(title)
    let avatar = divided.avatar.flatMap { userID.isEmpty || !pictures.mayStore($0) ? nil : $0 }
    let rest = avatar == nil ? title : divided.html
    if let avatar { Self.image(MemberImagePages.avatar(of: userID, at: avatar)) }
    if !rest.isEmpty {
      element(.div, .class(className)) { Markup(trusted: cleaner.clean(rest)) }
    }
  }

  private static func image(_ path: String) -> Markup {
    element(
      .img, .class("avatar"), Attribute("src", path), Attribute("alt", ""),
      Attribute("width", "48"), Attribute("height", "48"), Attribute("loading", "lazy"))
  }
}
