import AwfulCore
import WebPages

/// The rows of the draft list.
enum DraftRows {
  static func row(_ draft: DraftRow) -> LiveRow {
    let id = "draft-\(draft.id)"
    let markup = element(.li, .id(id)) {
      element(
        .a, .class(draft.state == .writing ? "row" : "row unread"),
        .href("/drafts/\(PagePath.part(draft.id))")
      ) {
        element(.span, .class("title")) { title(of: draft) }
        element(.span, .class(draft.state == .writing ? "count none" : "count")) {
          Self.state(draft.state)
        }
        element(.span, .class("meta")) {
          Wording.list([draft.problem, Wording.day(draft.changedAt)].compactMap(\.self))
        }
      }
    }
    return LiveRow(id: id, markup: markup)
  }

  /// Returns the row of a private message draft.
  static func message(_ draft: MessageDrafts.Row) -> Markup {
    element(.li) {
      element(.a, .class("row"), .href(MessageForm.path(draft.purpose))) {
        element(.span, .class("title")) {
          draft.text.subject.isEmpty ? beginning(of: draft.text.body) : draft.text.subject
        }
        element(.span, .class("count none")) { state(.writing) }
        element(.span, .class("meta")) {
          Wording.list(
            (draft.text.recipient.isEmpty ? [] : ["to \(draft.text.recipient)"])
              + [Wording.day(draft.changedAt)])
        }
      }
    }
  }

  private static func beginning(of text: String) -> String {
    String(
      text.split(whereSeparator: \.isWhitespace).prefix(12).joined(separator: " ").prefix(80))
  }

  /// Returns the kind of a draft, with the beginning of its text.
  static func title(of draft: DraftRow) -> String {
    let beginning = beginning(of: draft.text.body)
    return switch draft.target.kind {
    case .reply: "Reply: \(beginning)"
    case .thread:
      "New thread: \(draft.text.subject.isEmpty ? beginning : draft.text.subject)"
    case .edit: "Edit: \(beginning)"
    }
  }

  static func state(_ state: DraftState) -> String {
    switch state {
    case .writing: "draft"
    case .waiting: "waiting to be sent"
    case .sending: "sending"
    case .unconfirmed: "sent, response lost"
    case .conflict: "conflict"
    case .refused: "not sent"
    }
  }
}
