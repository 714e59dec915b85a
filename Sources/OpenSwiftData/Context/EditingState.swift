public import Foundation

/// The identity and the author of the edits in one context.
///
/// > Reference: Apple, EditingState.
public struct EditingState: Identifiable, Sendable {
  public let id: UUID
  /// The author of the edits; `nil` if none was set.
  public var author: String?

  init(id: UUID = UUID(), author: String?) {
    self.id = id
    self.author = author
  }
}
