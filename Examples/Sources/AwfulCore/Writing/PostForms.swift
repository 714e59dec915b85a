import ForumClient
import ForumHTML
import ForumScraping

/// The site's forms for posts: fetched whole, filled in, and sent back.
///
/// A value; it never stores anything.
struct PostForms: Sendable {
  let fetcher: PageFetcher

  /// What the site answered when a form was sent.
  enum Answer: Sendable {
    /// It has the post.
    case arrived(threadID: String?, postID: String?)
    /// It may have the post, or not: no answer came, or none that can be read.
    case unclear(String)
  }

  /// The form for a target.
  ///
  /// - Throws: `ForumErrorPage` with the site's refusal, `ClientError`, or `PageError`.
  func form(for target: DraftTarget) async throws -> FormPage {
    let reading = try await fetcher.page(Self.path(target), Self.query(target))
    return try reading.page.expectForm(Self.kind(target))
  }

  /// The same forms, of which each is asked for once, whatever the trouble.
  var withoutRetries: PostForms { PostForms(fetcher: fetcher.withoutRetries) }

  /// The text that a reply begins with to quote a post.
  func quote(ofPost id: String) async throws -> String {
    let reading = try await fetcher.page(
      "newreply.php", [("action", "newreply"), ("postid", id)])
    return Self.body(of: try reading.page.expectForm(.replyForm))
  }

  /// The text that a form has.
  static func body(of form: FormPage) -> String {
    form.form.controls(named: "message").first?.value ?? ""
  }

  /// A post as the site would show it.
  ///
  /// - Returns: The body as markup, as the site sent it: not cleaned.
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
      throw PageError(.missingMarker, "The page shows no preview.", marker: ".postbody")
    }
    return preview
  }

  /// Sends a form; it is sent once, whatever happens.
  ///
  /// - Throws: `ForumErrorPage` with the site's refusal; `ClientError` when the form certainly did not reach the site.
  func post(_ page: FormPage, _ text: DraftText) async throws -> Answer {
    let fields = try Self.fields(of: page, text, pressing: "submit")
    switch try await fetcher.send(page.form, fields) {
    case .answered(.redirect(let page)):
      return .arrived(threadID: page.threadID, postID: page.postID)
    case .answered(.thread(let page)): return .arrived(threadID: page.threadID, postID: nil)
    case .answered(let page): return .unclear("The site answered with a \(page.kind.rawValue).")
    case .unclear(let error): return .unclear(Self.sentence(for: error))
    }
  }

  private static func sentence(for error: any Error) -> String {
    switch error {
    case let error as ClientError: error.message
    case let error as PageError: "The site's answer cannot be read: \(error.message)"
    default: "The site says: \(error)"
    }
  }

  /// What a form sends: what it came with, with the reader's text in its place.
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
      throw WritingError(.form, "The site's form has no field for a text.")
    }
    return fields + icons
  }

  /// The icons that the reader has chosen, with the names of the form's lists of them.
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
