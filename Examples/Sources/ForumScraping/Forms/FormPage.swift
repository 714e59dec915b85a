import ForumHTML

/// A page whose main content is one form: a reply, a new thread, a message, the ignore list or the profile.
public struct FormPage: Sendable, Equatable {
  /// The kind of the form.
  public let kind: PageKind
  /// The form.
  public let form: ScrapedForm
  /// The icons that the form offers.
  public let icons: IconLists
  /// The markup of the post preview; nil if there is none.
  public let previewHTML: String?

  /// The names on the ignore list, in order.
  public var ignoredNames: [String] {
    form.controls(named: "listbits[]").map(\.value).filter { !$0.isEmpty }
  }

  /// The number of empty fields of the ignore list.
  public var emptyIgnoreSlots: Int {
    form.controls(named: "listbits[]").count { $0.value.isEmpty }
  }

  /// The size of the largest file that the form accepts, in bytes.
  public var largestFileInBytes: Int? {
    form.controls(named: "MAX_FILE_SIZE").first?.value.wholeNumber
  }

  /// Finds the form that makes a page one of the form pages.
  ///
  /// - Parameter document: The page.
  /// - Returns: The page; nil if it is of another kind.
  static func find(in document: HTMLDocument) throws -> FormPage? {
    for form in try ScrapedForm.forms(of: document) {
      guard let kind = kind(of: form) else { continue }
      return FormPage(
        kind: kind, form: form, icons: try IconLists(document),
        previewHTML: try document.first("#preview .postbody, .inner.postbody")?.innerHTML)
    }
    return nil
  }

  private static func kind(of form: ScrapedForm) -> PageKind? {
    let actions = form.controls(named: "action").map(\.value)
    let hasMessage = form.controls.contains { $0.kind == .textarea && $0.name == "message" }
    if hasMessage && form.action.contains("newreply.php") { return .replyForm }
    if hasMessage && form.action.contains("newthread.php") { return .newThreadForm }
    if hasMessage && form.action.contains("editpost.php") { return .editPostForm }
    if form.action.contains("private.php") {
      if !form.controls(named: "touser").isEmpty { return .composeForm }
      if actions.contains("doeditfolders") { return .editFoldersForm }
    }
    if form.action.contains("member2.php"), actions.contains("updatelist") {
      return .ignoreListForm
    }
    if form.action.contains("member.php"), actions.contains("updateprofile") {
      return .editProfileForm
    }
    if form.action.contains("account.php"), form.controls.contains(where: { $0.kind == .password })
    {
      return .logInForm
    }
    return form.action.contains("modalert.php") ? .reportForm : nil
  }
}
