/// The information about the author beside a post, a message or a profile.
struct Sidebar {
  let context: PageContext

  /// - Parameters:
  ///   - userID: The author.
  ///   - isOriginalPoster: Whether the author started the thread.
  ///   - classes: Additional classes of the list.
  func html(of userID: Int, isOriginalPoster: Bool = false, classes: String = "") -> String {
    let author = context.state.user(userID)
    let image =
      author?.hasAvatar == true
      ? "<img src=\"\(MemberImages.avatar(of: userID))\" alt=\"\" class=\"img\" "
        + "border=\"0\"><br>\n" : ""
    let nameClass = nameClasses(author, isOriginalPoster: isOriginalPoster)
    return """
      \t\t<dl class="userinfo\(classes)">
      \t\t\t<dt class="\(nameClass)" title="\(roleTitle(author))">\
      \(HTML.escaped(author?.name ?? ""))</dt>
      \t\t\t<dd class="registered">\(context.clock.dayOnly(author?.registered ?? 0))</dd>
      \t\t\t<dd class="title">
      \t\t\t\t\(image)\(HTML.escaped(author?.tagline ?? ""))
      \t\t\t\t<br class="pb">
      \t\t\t</dd>
      \t\t</dl>
      """
  }

  private func nameClasses(_ author: SiteUser?, isOriginalPoster: Bool) -> String {
    var classes = ["author"]
    switch author?.role {
    case .administrator: classes.append("role-admin")
    case .moderator: classes.append("role-mod")
    case .platinum, .archives:
      if context.markup != .revision2012 { classes.append("platinum") }
    default: break
    }
    if isOriginalPoster { classes.append("op") }
    return classes.joined(separator: " ")
  }

  private func roleTitle(_ author: SiteUser?) -> String {
    switch author?.role {
    case .administrator: "Administrator"
    case .moderator: "Moderator"
    default: ""
    }
  }
}
