import AwfulCore
import WebPages

/// The form for writing a private message.
struct MessageForm {
  let purpose: MessageDesk.Purpose
  let text: MessageDesk.Text
  /// The draft that the form's text is based on; nil until it is stored.
  var draft: MessageDrafts.Row?
  /// Whether the program connects to the site, so that the form can be sent.
  var canSend = true

  /// Returns the path of the page for a purpose.
  static func path(_ purpose: MessageDesk.Purpose) -> String {
    switch purpose {
    case .new: "/messages/new"
    case .reply(let id): "/messages/new?reply=\(PagePath.part(id))"
    case .forward(let id): "/messages/new?forward=\(PagePath.part(id))"
    }
  }

  /// Returns the path of the page that the reader returns to.
  static func backPath(_ purpose: MessageDesk.Purpose) -> String {
    switch purpose {
    case .new: "/messages"
    case .reply(let id), .forward(let id): "/messages/\(PagePath.part(id))"
    }
  }

  static func title(_ purpose: MessageDesk.Purpose) -> String {
    switch purpose {
    case .new: "New message"
    case .reply: "Reply to a message"
    case .forward: "Forward a message"
    }
  }

  /// Returns the purpose of the message that a request asks to write.
  static func purpose(_ request: WebRequest) -> MessageDesk.Purpose {
    if let id = request.query["reply"] { return .reply(to: id) }
    return request.query["forward"].map { .forward($0) } ?? .new
  }

  /// Returns the text that the form sends.
  static func text(_ form: [String: String]) -> MessageDesk.Text {
    MessageDesk.Text(
      recipient: form["to"] ?? "", subject: form["subject"] ?? "",
      body: (form["body"] ?? "").replacing("\r\n", with: "\n"), keepsCopy: form["copy"] == "1")
  }

  var markup: Markup {
    element(
      .form, .class("writing"), Attribute("method", "post"),
      Attribute("action", Self.path(purpose)), Attribute(flag: "data-autosave")
    ) {
      Markup.hidden("draft", draft == nil ? "" : "1")
      Markup.hidden("revision", "\(draft?.revision ?? 0)")
      Markup.field("to", "To", value: text.recipient)
      Markup.field("subject", "Subject", value: text.subject)
      element(.label, Attribute("for", "body")) { "Text" }
      element(.textarea, .id("body"), Attribute("name", "body"), Attribute("rows", "14")) {
        text.body
      }
      element(.p) {
        element(.label, .class("choice")) {
          element(
            .input, Attribute("type", "checkbox"), Attribute("name", "copy"),
            Attribute("value", "1"), text.keepsCopy ? Attribute(flag: "checked") : nil)
          " Keep a copy in the sent items"
        }
      }
      element(.p, .class("muted saved"), Attribute("role", "status")) {
        draft.map { AutosaveAnswer.saved(at: $0.changedAt) } ?? "Not saved yet."
      }
      element(.div, .class("buttons")) {
        if canSend { WritingForm.submit("send", "Send") }
        WritingForm.submit("save", "Save draft", isQuiet: true)
        WritingForm.submit("discard", "Discard", isQuiet: true)
        element(.a, .href(Self.backPath(purpose))) { "Cancel" }
      }
    }
  }
}
