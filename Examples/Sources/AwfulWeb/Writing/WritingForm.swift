import AwfulCore
import Foundation
import WebPages

/// The form in which the reader writes a draft.
struct WritingForm {
  let target: DraftTarget
  /// The draft, as the form goes back to it; nil before it is stored.
  var draft: DraftRow?
  /// What the fields hold.
  var text: DraftText
  /// The text that a post had on the site, for a draft that is not stored yet.
  var original: String?

  /// The path of the page for a target.
  static func path(_ target: DraftTarget) -> String {
    let path = "/write/\(target.kind.rawValue)/\(PagePath.part(target.id))"
    guard target.kind == .edit, let threadID = target.threadID else { return path }
    return "\(path)?thread=\(PagePath.part(threadID))"
  }

  /// The page that the reader goes back to.
  static func backPath(_ target: DraftTarget) -> String {
    switch target.kind {
    case .reply: "/threads/\(PagePath.part(target.id))?page=unread"
    case .thread: "/forums/\(PagePath.part(target.id))"
    case .edit: "/posts/\(PagePath.part(target.id))"
    }
  }

  @MarkupBuilder
  func markup(canSend: Bool) -> Markup {
    element(
      .form, .class("writing"), Attribute("method", "post"),
      Attribute("action", Self.path(target)), Attribute(flag: "data-autosave")
    ) {
      Markup.hidden("draft", draft?.id ?? "")
      Markup.hidden("revision", "\(draft?.revision ?? 0)")
      if let original { Markup.hidden("original", original) }
      // Who sends the form has seen what is on the site now.
      if draft?.siteBody != nil { Markup.hidden("resolved", "1") }
      if target.kind == .thread { Markup.field("subject", "Title", value: text.subject) }
      element(.label, Attribute("for", "body")) { "Text" }
      element(.textarea, .id("body"), Attribute("name", "body"), Attribute("rows", "14")) {
        text.body
      }
      element(.p, .class("muted saved"), Attribute("role", "status")) { state }
      element(.div, .class("buttons")) {
        if canSend {
          Self.submit("send", target.kind == .edit ? "Save on the site" : "Post")
          Self.submit("preview", "Preview", isQuiet: true)
        }
        Self.submit("save", "Save draft", isQuiet: true)
        if draft != nil {
          Self.submit("undo", "Undo", isQuiet: true)
          Self.submit("redo", "Redo", isQuiet: true)
        }
        Self.submit("discard", "Discard", isQuiet: true)
      }
    }
  }

  private var state: String {
    draft.map { AutosaveAnswer.saved(at: $0.changedAt) } ?? "Not saved yet."
  }

  static func submit(_ value: String, _ label: String, isQuiet: Bool = false) -> Markup {
    element(
      .button, isQuiet ? .class("quiet") : nil, Attribute("name", "do"), Attribute("value", value)
    ) { label }
  }
}
