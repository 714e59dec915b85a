public import Foundation

/// Identifies the edits of one context.
///
/// > Reference: Apple, EditingState.
public struct EditingState: Identifiable, Sendable {
  public let id: UUID
  /// Who makes them.
  public var author: String?

  init(id: UUID = UUID(), author: String?) {
    self.id = id
    self.author = author
  }
}
