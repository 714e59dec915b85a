/// Responds to requests about members: profiles, punishments and the ignore list.
struct MemberRouter {
  let context: PageContext

  private var state: SiteState { context.state }
  private var errors: ErrorPage { ErrorPage(context: context) }

  /// Returns a profile, by number or by name; the number takes precedence.
  func profile(_ request: SiteRequest) -> SiteAnswer {
    guard context.viewer != nil else { return .page(errors.mustRegister) }
    guard request.parameter("action") == "getinfo" else {
      return problem("Unknown action", "The pages of members cannot do that.")
    }
    let user =
      request.parameter("userid").map { Int($0).flatMap { state.user($0) } }
      ?? request.parameter("username").flatMap { state.user(named: $0) }
    guard let user else {
      return problem("Unknown member", "There is no member of this number or name.")
    }
    return .page(ProfilePage(context: context, user: user).html)
  }

  func punishments(_ request: SiteRequest) -> SiteAnswer {
    let user = request.parameter("userid").flatMap { $0.isEmpty ? nil : Int($0) ?? 0 }
    return .page(
      PunishmentsPage(
        context: context, onlyUserID: user, page: request.number("pagenumber") ?? 1
      ).html)
  }

  /// Shows or changes the ignore list, the only list that the site stores.
  func list(_ request: SiteRequest) -> SiteAnswer {
    guard let viewer = context.viewer else { return .page(errors.mustRegister) }
    guard request.parameter("userlist") == "ignore" else {
      return problem("Unknown list", "There is no such list.")
    }
    let ignoredIDs = state.readers[viewer.id]?.ignoredIDs ?? []
    let action = request.parameter("action")
    if action == "viewlist" {
      return .page(
        IgnoreListForm(context: context, names: ignoredIDs.map { state.userName($0) }).html)
    }
    guard request.method == "POST", action == "updatelist" || action == "addlist" else {
      return problem("Unknown action", "The list cannot do that.")
    }
    guard request.form["formkey"] == context.formKey else {
      return problem("Form expired", "The form is not one of yours. Go back and reload it.")
    }
    return action == "addlist"
      ? add(request, to: ignoredIDs, of: viewer) : update(request, of: viewer)
  }

  private func add(
    _ request: SiteRequest, to ignoredIDs: [Int], of viewer: SiteUser
  ) -> SiteAnswer {
    guard let user = request.number("userid").flatMap({ state.user($0) }), user.id != viewer.id
    else { return problem("Unknown member", "There is no other member of this number.") }
    if user.isStaff { return .page(errors.ignoreRefused(user)) }
    let isNew = !ignoredIDs.contains(user.id)
    let sentence =
      "\(HTML.escaped(user.name)) has now been successfully added to your ignore list."
    return .page(
      RedirectNotice(context: context).html(sentence, to: "usercp.php"),
      changes: isNew ? [.ignore(user: viewer.id, others: ignoredIDs + [user.id])] : [])
  }

  /// Replaces the whole list; one rejected name leaves the list unchanged.
  private func update(_ request: SiteRequest, of viewer: SiteUser) -> SiteAnswer {
    let names = (request.lists["listbits"] ?? []).map(PostDraft.line).filter { !$0.isEmpty }
    var ids: [Int] = []
    for name in names {
      guard let user = state.user(named: name), user.id != viewer.id else {
        return problem(
          "Unknown member", "There is no other member of the name \(HTML.escaped(name)).")
      }
      if user.isStaff { return .page(errors.ignoreRefused(user)) }
      if !ids.contains(user.id) { ids.append(user.id) }
    }
    return .page(
      RedirectNotice(context: context).html("Your ignore list has been updated.", to: "usercp.php"),
      changes: [.ignore(user: viewer.id, others: ids)])
  }

  private func problem(_ title: String, _ message: String) -> SiteAnswer {
    .error(title, message, in: context)
  }
}
