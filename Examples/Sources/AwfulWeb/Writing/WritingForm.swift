import AwfulCore
import ForumScraping
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

  /// The icons of which a new thread may have one; nil if they are not known.
  var icons: IconChoices?

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
      if target.kind == .thread {
        Markup.field("subject", "Title", value: text.subject)
        Self.choice(Self.iconField, "Icon", icons?.first, chosen: text.iconID, none: "No icon")
        Self.choice(Self.secondIconField, "Second icon", icons?.second, chosen: text.secondIconID)
      }
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

  /// The fields of a new thread's icons.
  static let iconField = "icon"
  static let secondIconField = "second-icon"

  /// The icons of a list to choose from. What was chosen before is sent again if the list is not known.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - label: What is chosen.
  ///   - list: The icons; nil if they are not known.
  ///   - chosen: The id that the draft has; nil for the one that the site's form has chosen.
  ///   - none: What that choice is called if it is none of the icons.
  @MarkupBuilder
  private static func choice(
    _ name: String, _ label: String, _ list: IconChoices.List?, chosen: String?,
    none: String = "Not chosen"
  ) -> Markup {
    if let list, !list.icons.isEmpty {
      let icons = list.icons.map { (value: $0.id ?? "", text: $0.imageName) }
      let hasDefault = icons.contains { $0.value == list.defaultID }
      Markup.choice(
        name, label, (hasDefault ? [] : [(value: "", text: none)]) + icons,
        chosen: chosen ?? (hasDefault ? list.defaultID : nil) ?? "")
    } else if let chosen {
      Markup.hidden(name, chosen)
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
