import CoreData
public import Foundation
import OpenPersistenceKit

/// The drafts of private messages, saved at every pause in typing.
///
/// There is one draft for new messages, and one for each message that is replied to or forwarded. Each window passes the revision that its
/// text is based on, so that no window overwrites the changes of another. A value over shared state; safe to use from any thread.
public struct MessageDrafts: Sendable {
  /// A draft, as a value independent of its context.
  public struct Row: Sendable, Equatable {
    /// The purpose of the message.
    public let purpose: MessageDesk.Purpose
    /// The text that the reader has typed.
    public let text: MessageDesk.Text
    /// The number of times the draft has been written.
    public let revision: Int
    /// The date when it was last written.
    public let changedAt: Date

    /// - Returns: `nil` if only a newer version of this program knows the draft's purpose.
    init?(_ draft: MessageDraft) {
      guard let purpose = MessageDesk.Purpose(key: draft.purpose) else { return nil }
      self.purpose = purpose
      text = draft.text
      revision = Int(draft.revision)
      changedAt = draft.changedAt
    }
  }

  /// The result of writing a draft.
  public enum Outcome: Sendable, Equatable {
    /// The draft is stored.
    case saved(Row)
    /// There is nothing to store: the subject and the text are empty.
    case empty
    /// Another window has changed the draft, and its text is kept; nil if the draft was discarded at that moment.
    case changedElsewhere(Row?)
  }

  private let store: PersonalStore
  private let now: @Sendable () -> Date

  /// Creates the drafts of a store.
  ///
  /// - Parameters:
  ///   - store: The store that holds the drafts.
  ///   - now: A closure that returns the current date.
  public init(_ store: PersonalStore, now: @escaping @Sendable () -> Date = { Date() }) {
    self.store = store
    self.now = now
  }

  /// Returns the draft for a purpose, or nil if there is none.
  public func draft(for purpose: MessageDesk.Purpose) async throws -> Row? {
    try await store.performBackgroundTask { context in
      try Self.object(purpose, in: context).flatMap(Row.init)
    }
  }

  /// Returns all drafts, newest first.
  public func drafts() async throws -> [Row] {
    try await store.performBackgroundTask { context in
      let request = NSFetchRequest<MessageDraft>(entityName: "MessageDraft")
      request.sortDescriptors = [
        NSSortDescriptor(key: "changedAt", ascending: false),
        NSSortDescriptor(key: "purpose", ascending: true),
      ]
      return try context.fetch(request).compactMap(Row.init)
    }
  }

  /// Writes the text of a draft, and creates the draft if it does not exist. Writing the same text again changes nothing.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - purpose: The purpose of the message.
  ///   - revision: The revision that the text is based on; 0 for a form without a draft.
  /// - Throws: Any error from the save. The draft stays unchanged in that case.
  public func write(
    _ text: MessageDesk.Text, for purpose: MessageDesk.Purpose, basedOn revision: Int
  ) async throws -> Outcome {
    let instant = now()
    do {
      return try await store.performBackgroundTask { context in
        context.mergePolicy = NSErrorMergePolicy
        return try Self.write(text, for: purpose, basedOn: revision, at: instant, in: context)
      }
    } catch let error as CocoaError
      where [.managedObjectMerge, .managedObjectConstraintMerge].contains(error.code)
    {
      // Another window saved the draft between the comparison and the save.
      return .changedElsewhere(try await draft(for: purpose))
    }
  }

  private static func write(
    _ text: MessageDesk.Text, for purpose: MessageDesk.Purpose, basedOn revision: Int,
    at instant: Date, in context: NSManagedObjectContext
  ) throws -> Outcome {
    let known = try object(purpose, in: context)
    if let known, let row = Row(known) {
      if row.text == text { return .saved(row) }
      guard row.revision == revision else { return .changedElsewhere(row) }
    } else if text.subject.isEmpty, text.body.isEmpty {
      return .empty
    }
    let draft = known ?? MessageDraft(context: context)
    draft.purpose = purpose.key
    draft.text = text
    draft.revision += 1
    draft.changedAt = instant
    return Row(draft).map { Outcome.saved($0) } ?? .empty
  }

  /// Deletes a draft permanently.
  ///
  /// - Parameters:
  ///   - purpose: The purpose of the message.
  ///   - text: The text that the draft must still have; nil to delete the draft whatever its text is.
  /// - Throws: Any error from the save.
  public func discard(
    _ purpose: MessageDesk.Purpose, ifUnchangedFrom text: MessageDesk.Text? = nil
  ) async throws {
    try await store.performBackgroundTask { context in
      guard let draft = try Self.object(purpose, in: context) else { return }
      if text == nil || draft.text == text { context.delete(draft) }
    }
  }

  private static func object(
    _ purpose: MessageDesk.Purpose, in context: NSManagedObjectContext
  ) throws -> MessageDraft? {
    try context.fetch(PersonalStore.request(MessageDraft.self, "purpose", purpose.key)).first
  }
}

extension MessageDraft {
  fileprivate var text: MessageDesk.Text {
    get {
      MessageDesk.Text(recipient: recipient, subject: subject, body: body, keepsCopy: keepsCopy)
    }
    set {
      recipient = newValue.recipient
      subject = newValue.subject
      body = newValue.body
      keepsCopy = newValue.keepsCopy
    }
  }
}

extension MessageDesk.Purpose {
  /// The string that represents the purpose in the store.
  fileprivate var key: String {
    switch self {
    case .new: "new"
    case .reply(let id): "reply \(id)"
    case .forward(let id): "forward \(id)"
    }
  }

  fileprivate init?(key: String) {
    let parts = key.split(separator: " ", maxSplits: 1).map(String.init)
    switch (parts.first, parts.count) {
    case ("new", 1): self = .new
    case ("reply", 2): self = .reply(to: parts[1])
    case ("forward", 2): self = .forward(parts[1])
    default: return nil
    }
  }
}
