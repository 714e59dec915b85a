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
    let page = try await form(for: target)
    let fetched = try await send(page.form, text, pressing: "preview")
    let answer = try await PageFetcher.scrape(fetched)
    guard let preview = try answer.expectForm(Self.kind(target)).previewHTML else {
      throw PageError(.missingMarker, "The page shows no preview.", marker: ".postbody")
    }
    return preview
  }

  /// Sends a form; it is sent once, whatever happens.
  ///
  /// - Throws: `ForumErrorPage` with the site's refusal; `ClientError` when the form certainly did not reach the site.
  func post(_ page: FormPage, _ text: DraftText) async throws -> Answer {
    let fetched: FetchedPage
    do {
      fetched = try await send(page.form, text, pressing: "submit")
    } catch let error as ClientError {
      if let refusal = await PageFetcher.reportedError(in: error) {
        return try Self.answer(refusal)
      }
      if !error.mayHaveArrived { throw error }
      return .unclear(error.message)
    }
    do {
      switch try await PageFetcher.scrape(fetched) {
      case .redirect(let page): return .arrived(threadID: page.threadID, postID: page.postID)
      case .thread(let page): return .arrived(threadID: page.threadID, postID: nil)
      case .error(let refusal): return try Self.answer(refusal)
      case let other: return .unclear("The site answered with a \(other.kind.rawValue).")
      }
    } catch let error as PageError {
      return .unclear("The site's answer cannot be read: \(error.message)")
    }
  }

  /// A site whose database goes away may have taken the post before.
  private static func answer(_ refusal: ForumErrorPage) throws -> Answer {
    if refusal.kind == .databaseUnavailable { return .unclear("The site says: \(refusal)") }
    throw refusal
  }

  private func send(
    _ form: ScrapedForm, _ text: DraftText, pressing button: String
  ) async throws -> FetchedPage {
    let fields = try Self.fields(of: form, text, pressing: button)
    let body =
      form.encodingType.hasPrefix("multipart")
      ? FormBody(multipart: fields) : FormBody(urlEncoding: fields)
    return try await fetcher.client.send(form.action, body: body)
  }

  /// What a form sends: what it came with, with the reader's text in its place.
  private static func fields(
    of form: ScrapedForm, _ text: DraftText, pressing button: String
  ) throws -> [(String, String)] {
    var fields: [(String, String)] = []
    var hasBody = false
    for entry in form.submission(pressing: button) {
      switch entry.name {
      case "message":
        if !hasBody { fields.append((entry.name, text.body)) }
        hasBody = true
      case "subject": fields.append((entry.name, text.subject.isEmpty ? entry.value : text.subject))
      case "iconid" where text.iconID != nil: break
      default: fields.append((entry.name, entry.value))
      }
    }
    guard hasBody else {
      throw WritingError(.form, "The site's form has no field for a text.")
    }
    if let icon = text.iconID, !form.controls(named: "iconid").isEmpty {
      fields.append(("iconid", icon))
    }
    return fields
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
