import CoreData
public import Foundation
import OpenPersistenceKit

/// Private messages that the reader writes, saved at every pause of typing.
///
/// There is one draft for a new message, and one for each message that is answered or forwarded. Each window says which revision
/// its text goes back to, so that none writes over what another has written. A value over shared state; usable anywhere.
public struct MessageDrafts: Sendable {
  /// A draft, apart from its context.
  public struct Row: Sendable, Equatable {
    /// What it is written for.
    public let purpose: MessageDesk.Purpose
    /// What the reader has typed.
    public let text: MessageDesk.Text
    /// The number of times that it was written.
    public let revision: Int
    /// When it was last written.
    public let changedAt: Date

    /// - Returns: Nil for a draft of a purpose that only a newer version of this program knows.
    init?(_ draft: MessageDraft) {
      guard let purpose = MessageDesk.Purpose(key: draft.purpose) else { return nil }
      self.purpose = purpose
      text = draft.text
      revision = Int(draft.revision)
      changedAt = draft.changedAt
    }
  }

  /// What became of a text.
  public enum Outcome: Sendable, Equatable {
    /// It is stored.
    case saved(Row)
    /// There is nothing to store: no subject and no text.
    case empty
    /// Another window has written meanwhile, and its text is kept; nil if it was discarded right then.
    case changedElsewhere(Row?)
  }

  private let store: PersonalStore
  private let now: @Sendable () -> Date

  /// Makes the drafts of a store.
  ///
  /// - Parameters:
  ///   - store: Where drafts are kept.
  ///   - now: The clock.
  public init(_ store: PersonalStore, now: @escaping @Sendable () -> Date = { Date() }) {
    self.store = store
    self.now = now
  }

  /// The draft for a purpose; nil if there is none.
  public func draft(for purpose: MessageDesk.Purpose) async throws -> Row? {
    try await store.performBackgroundTask { context in
      try Self.object(purpose, in: context).flatMap(Row.init)
    }
  }

  /// All drafts, the newest first.
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

  /// Writes the text of a draft, and begins it where there is none; the same text again changes nothing.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - purpose: What it is written for.
  ///   - revision: The revision that the text goes back to; 0 for a form without a draft.
  /// - Throws: What the save throws; the draft stays as it was then.
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
      // Another window was faster, between the comparison and the save.
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

  /// Deletes a draft; nothing of it stays.
  ///
  /// - Throws: What the save throws.
  public func discard(_ purpose: MessageDesk.Purpose) async throws {
    try await store.performBackgroundTask { context in
      if let draft = try Self.object(purpose, in: context) { context.delete(draft) }
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
  /// The purpose as it is stored.
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
