import ForumClient
import ForumHTML
import ForumScraping

/// Fetches the site's forms for posts, fills them in, and sends them.
///
/// A value. It stores nothing.
struct PostForms: Sendable {
  let fetcher: PageFetcher

  /// The site's answer to a form.
  enum Answer: Sendable {
    /// The site has the post.
    case arrived(threadID: String?, postID: String?)
    /// It is unknown whether the site has the post: there was no answer, or an unreadable one.
    case unclear(String)
  }

  /// Returns the form for a target.
  ///
  /// - Throws: `ForumErrorPage` with the site's refusal, `ClientError`, or `PageError`.
  func form(for target: DraftTarget) async throws -> FormPage {
    let reading = try await fetcher.page(Self.path(target), Self.query(target))
    return try reading.page.expectForm(Self.kind(target))
  }

  /// The same forms, each requested once even if an error occurs.
  var withoutRetries: PostForms { PostForms(fetcher: fetcher.withoutRetries) }

  /// Returns the initial text of a reply that quotes a post.
  func quote(ofPost id: String) async throws -> String {
    let reading = try await fetcher.page(
      "newreply.php", [("action", "newreply"), ("postid", id)])
    return Self.body(of: try reading.page.expectForm(.replyForm))
  }

  /// Returns the text in a form.
  static func body(of form: FormPage) -> String {
    form.form.controls(named: "message").first?.value ?? ""
  }

  /// Returns a post as the site would show it.
  ///
  /// - Returns: The body as markup, as the site sent it, without sanitizing.
  func preview(_ target: DraftTarget, _ text: DraftText) async throws -> String {
    let form = try await form(for: target)
    let fields = try Self.fields(of: form, text, pressing: "preview")
    let answer: ScrapedPage
    switch try await fetcher.send(form.form, fields) {
    case .answered(let page): answer = page
    case .unclear(let error): throw error
    }
    let page = try answer.expectForm(Self.kind(target))
    guard let preview = page.previewHTML else {
      throw PageError(.missingMarker, "The page contains no preview.", marker: ".postbody")
    }
    return preview
  }

  /// Sends a form once, without retries.
  ///
  /// - Throws: `ForumErrorPage` with the site's refusal, or `ClientError` if the form certainly did not reach the site.
  func post(_ page: FormPage, _ text: DraftText) async throws -> Answer {
    let fields = try Self.fields(of: page, text, pressing: "submit")
    switch try await fetcher.send(page.form, fields) {
    case .answered(.redirect(let page)):
      return .arrived(threadID: page.threadID, postID: page.postID)
    case .answered(.thread(let page)): return .arrived(threadID: page.threadID, postID: nil)
    case .answered(let page):
      return .unclear("The site responded with an unexpected page (\(page.kind.rawValue)).")
    case .unclear(let error): return .unclear(Self.sentence(for: error))
    }
  }

  private static func sentence(for error: any Error) -> String {
    switch error {
    case let error as ClientError: error.message
    case let error as PageError: "The site's response cannot be read: \(error.message)"
    default: "The site says: \(error)"
    }
  }

  /// Returns the fields to send: the form's own fields with the reader's text filled in.
  private static func fields(
    of page: FormPage, _ text: DraftText, pressing button: String
  ) throws -> [(String, String)] {
    let icons = chosenIcons(page, text)
    var fields: [(String, String)] = []
    var hasBody = false
    for entry in page.form.submission(pressing: button) {
      switch entry.name {
      case "message":
        if !hasBody { fields.append((entry.name, text.body)) }
        hasBody = true
      case "subject": fields.append((entry.name, text.subject.isEmpty ? entry.value : text.subject))
      case let name where icons.contains { $0.name == name }: break
      default: fields.append((entry.name, entry.value))
      }
    }
    guard hasBody else {
      throw WritingError(.form, "The site's form has no field for the text.")
    }
    return fields + icons
  }

  /// Returns the icons that the reader has chosen, with the names of their lists in the form.
  private static func chosenIcons(
    _ page: FormPage, _ text: DraftText
  ) -> [(name: String, value: String)] {
    let choices = [
      (page.icons.primaryName, text.iconID), (page.icons.secondaryName, text.secondIconID),
    ]
    return choices.compactMap { name, icon in
      name.isEmpty ? nil : icon.map { (name: name, value: $0) }
    }
  }

  private static func path(_ target: DraftTarget) -> String {
    switch target.kind {
    case .reply: "newreply.php"
    case .thread: "newthread.php"
    case .edit: "editpost.php"
    }
  }

  private static func query(_ target: DraftTarget) -> [(String, String)] {
    switch target.kind {
    case .reply: [("action", "newreply"), ("threadid", target.id)]
    case .thread: [("action", "newthread"), ("forumid", target.id)]
    case .edit: [("action", "editpost"), ("postid", target.id)]
    }
  }

  private static func kind(_ target: DraftTarget) -> PageKind {
    switch target.kind {
    case .reply: .replyForm
    case .thread: .newThreadForm
    case .edit: .editPostForm
    }
  }
}
