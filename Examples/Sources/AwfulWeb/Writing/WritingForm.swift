import AwfulCore
import ForumScraping
import Foundation
import WebPages

/// The form for writing a draft.
struct WritingForm {
  let target: DraftTarget
  /// The draft that the form's text is based on; nil until it is stored.
  var draft: DraftRow?
  /// The contents of the fields.
  var text: DraftText
  /// The text of the post on the site when editing began, for a draft that is not stored yet.
  var original: String?

  /// The icons that a new thread can have; nil if they are not known.
  var icons: IconChoices?

  /// Returns the path of the page for a target.
  static func path(_ target: DraftTarget) -> String {
    let path = "/write/\(target.kind.rawValue)/\(PagePath.part(target.id))"
    guard target.kind == .edit, let threadID = target.threadID else { return path }
    return "\(path)?thread=\(PagePath.part(threadID))"
  }

  /// Returns the path of the page that the reader returns to.
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
      // If the draft is discarded in another window, the text becomes a new draft with the same original text.
      if let original = original ?? draft?.originalBody { Markup.hidden("original", original) }
      // A reader who sends this form has seen the current text on the site.
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
          Self.submit("send", target.kind == .edit ? "Save to the site" : "Post")
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

  /// The fields for the icons of a new thread.
  static let iconField = "icon"
  static let secondIconField = "second-icon"

  /// Returns a field for choosing an icon from a list. If the list is not known, the form sends the previous choice again.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - label: The label of the field.
  ///   - list: The icons; nil if they are not known.
  ///   - chosen: The id of the draft's icon; nil for the default of the site's form.
  ///   - none: The label of the default if it is not one of the icons.
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
