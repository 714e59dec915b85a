import Foundation

/// A row of a list in a page: an element with an id and content.
public struct LiveRow: Sendable, Equatable {
  /// The id of the row's element.
  public let id: String
  /// The row's element, with that id.
  public let markup: Markup

  /// Creates a row.
  ///
  /// - Parameters:
  ///   - id: The id of the row's element, unique in the page.
  ///   - markup: The row's element.
  public init(id: String, markup: Markup) {
    self.id = id
    self.markup = markup
  }
}

/// One change of a list, which a page applies to its rows.
///
/// The position of a row is relative to the preceding row. A change can therefore be applied twice, and has the same effect while rows that
/// will move are still at their old positions.
package struct LiveEdit: Sendable, Encodable {
  /// The kind of change.
  package enum Kind: String, Sendable, Encodable {
    case insert, move, update, delete
  }

  package let kind: Kind
  /// The list's name in the page.
  package let list: String
  /// The id of the row.
  package let id: String
  /// The index of the row after the change.
  package var index: Int?
  /// The id of the preceding row; empty for the first row.
  package var after: String?
  /// The row's element.
  package var html: String?

  /// The change as an event of the stream, without an event id.
  var event: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Encoding texts and numbers does not fail; if it does, the page reloads.
    guard let data = try? encoder.encode(self) else { return EventQueue.stale }
    return "event: \(kind.rawValue)\ndata: \(String(decoding: data, as: UTF8.self))\n\n"
  }

  /// Returns the changes from one state of a list to another: deleted rows, then inserted and moved rows by their new index, then updated
  /// rows.
  package static func edits(of list: String, from old: [LiveRow], to new: [LiveRow]) -> [LiveEdit] {
    let former = Dictionary(old.map { ($0.id, $0.markup) }, uniquingKeysWith: { one, _ in one })
    let difference = new.map(\.id).difference(from: old.map(\.id)).inferringMoves()
    var edits: [LiveEdit] = []
    for case .remove(_, let id, nil) in difference {
      edits.append(LiveEdit(kind: .delete, list: list, id: id))
    }
    for case .insert(let index, let id, let origin) in difference {
      let after = index == 0 ? "" : new[index - 1].id
      let html = former[id] == new[index].markup ? nil : new[index].markup.source
      edits.append(
        LiveEdit(
          kind: origin == nil ? .insert : .move, list: list, id: id, index: index, after: after,
          html: html))
    }
    let placed = Set(edits.map(\.id))
    for (index, row) in new.enumerated()
    where !placed.contains(row.id) && former[row.id] != row.markup {
      edits.append(
        LiveEdit(kind: .update, list: list, id: row.id, index: index, html: row.markup.source))
    }
    return edits
  }
}
