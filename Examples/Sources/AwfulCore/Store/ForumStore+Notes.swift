import CoreData
import ForumHTML
public import Foundation
import OpenPersistenceKit
import StoreSharing
import Synchronization

// Notes in the store's metadata: the reader that the store belongs to, the fetch dates of lists that have no objects to hold them, the
// policy for deletions, and the saved pages that were imported.

extension ForumStore {
  private var notes: [String: Any] {
    let coordinator = container.persistentStoreCoordinator
    return coordinator.persistentStores.first.map { coordinator.metadata(for: $0) } ?? [:]
  }

  private func note(_ value: Any, as key: String) throws { try change(key) { _ in value } }

  /// Changes the note with a key, and saves the metadata. Notes that other tasks write at the same time are kept.
  private func change(_ key: String, _ change: (Any?) -> Any) throws {
    let coordinator = container.persistentStoreCoordinator
    guard let store = coordinator.persistentStores.first else { return }
    notesLock.withLock { _ in
      var metadata = coordinator.metadata(for: store)
      metadata[key] = change(metadata[key])
      coordinator.setMetadata(metadata, for: store)
    }
    let context = newBackgroundContext()
    try context.performAndWait { try context.save() }
  }

  // MARK: Texts of posts

  private static let textsKey = "AwfulPostTexts"

  /// Stores the body texts of posts that were stored by a version without texts. Runs once for each store.
  ///
  /// - Parameter progress: A closure that receives the number of posts.
  /// - Throws: Any error from a fetch or a save, or `CocoaError` with code `.userCancelled` if the closure returns false. The next opening
  ///   of the store continues the work.
  func fillTexts(_ progress: UpgradeProgress.Handler?) throws {
    if notes[Self.textsKey] != nil { return }
    let total = try performBatchOperation { try $0.count(for: Self.postsWithoutText()) }
    var done = 0
    while true {
      let count = try performBatchOperation { try Self.fillTexts(in: $0) }
      if count == 0 { break }
      done += count
      let step = UpgradeProgress(phase: .texts, done: done, total: max(done, total))
      if progress?(step) == false { throw CocoaError(.userCancelled) }
    }
    try note(true, as: Self.textsKey)
  }

  private static func postsWithoutText() -> NSFetchRequest<Post> {
    let request = NSFetchRequest<Post>(entityName: "Post")
    request.predicate = NSPredicate(
      format: "text == nil AND innerHTML != nil", argumentArray: [])
    return request
  }

  /// - Returns: The number of posts that have got a text.
  private static func fillTexts(in context: NSManagedObjectContext) throws -> Int {
    let request = postsWithoutText()
    request.fetchLimit = 500
    let posts = try context.fetch(request)
    for post in posts {
      // If a body cannot be parsed, its markup is searched.
      let tree = try? HTMLParser.parse("<!DOCTYPE html><body>\(post.innerHTML ?? "")")
      post.text = tree?.body.readableText.trimmingWhitespace ?? post.innerHTML
    }
    return posts.count
  }

  // MARK: The reader

  private static let readerKey = "AwfulReader"

  /// The id of the reader whose marks and bookmarks the store holds; nil until the first sync with a login.
  public var readerID: String? { notes[Self.readerKey] as? String }

  /// Records the reader whose marks and bookmarks the store will hold.
  ///
  /// - Throws: Any error from the save.
  public func noteReader(_ id: String) throws {
    if readerID != id { try note(id, as: Self.readerKey) }
  }

  // MARK: Lists

  /// A list whose fetch date is not stored in any object.
  public enum NotedList: String, Sendable {
    /// Groups and forums.
    case index = "AwfulIndexRefresh"
    /// The reader's bookmarks.
    case bookmarks = "AwfulBookmarksRefresh"
    /// The folders of private messages.
    case messages = "AwfulMessagesRefresh"
    /// The texts of the announcements.
    case announcements = "AwfulAnnouncementsRefresh"
  }

  /// Returns the date when a list was last fetched completely, or nil if it never was.
  public func lastRefresh(of list: NotedList) -> Date? { notes[list.rawValue] as? Date }

  /// Records the date when a list was fetched completely.
  ///
  /// - Throws: Any error from the save.
  public func noteRefresh(of list: NotedList, at instant: Date) throws {
    try note(instant, as: list.rawValue)
  }

  // MARK: The ignore list

  private static let ignoredKey = "AwfulIgnoredNames"

  /// The names on the reader's ignore list, as the site last showed it; nil until it is read.
  public var ignoredNames: [String]? { notes[Self.ignoredKey] as? [String] }

  /// Records the names on the reader's ignore list.
  ///
  /// - Throws: Any error from the save.
  public func noteIgnoredNames(_ names: [String]) throws {
    if ignoredNames != names { try note(names, as: Self.ignoredKey) }
  }

  // MARK: Automatic deletion

  private static let deletionPolicyKey = "AwfulDeletionPolicy"
  private static let deletionRecordKey = "AwfulDeletionRecord"

  /// The reader's policy for deleting old content automatically. Nothing is deleted if the stored policy cannot be read, for example
  /// because a newer version of the program wrote it in another form.
  public var deletionPolicy: AutomaticDeletion.Policy {
    guard notes[Self.deletionPolicyKey] != nil else { return .standard }
    return decoded(Self.deletionPolicyKey) ?? AutomaticDeletion.Policy(days: nil, megabytes: nil)
  }

  /// Records the reader's policy for deleting old content automatically.
  ///
  /// - Throws: Any error from the save.
  public func note(_ policy: AutomaticDeletion.Policy) throws {
    try note(Self.encoded(policy), as: Self.deletionPolicyKey)
  }

  /// The latest automatic deletion; nil before the first one.
  public var deletionRecord: AutomaticDeletion.Record? { decoded(Self.deletionRecordKey) }

  func note(_ record: AutomaticDeletion.Record) throws {
    try note(Self.encoded(record), as: Self.deletionRecordKey)
  }

  private static func encoded(_ value: some Encodable) throws -> String {
    String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
  }

  /// Returns the value of a note. A note that a newer version of the program wrote in another form counts as missing.
  private func decoded<Value: Decodable>(_ key: String) -> Value? {
    (notes[key] as? String).flatMap {
      try? JSONDecoder().decode(Value.self, from: Data($0.utf8))
    }
  }

  // MARK: Saved pages

  private static let importedKey = "AwfulImportedPages"
  /// The number of saved pages that are remembered. It is limited because the whole metadata is read whenever the store is opened.
  private static let importedLimit = 500

  private var importedPages: [String] { notes[Self.importedKey] as? [String] ?? [] }

  /// Returns whether a saved page is among the last 500 imported pages.
  public func hasImported(_ fingerprint: String) -> Bool { importedPages.contains(fingerprint) }

  /// Records an imported page in the store's metadata, and removes the oldest entries beyond 500.
  ///
  /// - Throws: Any error from the save.
  public func noteImported(_ fingerprint: String) throws {
    if hasImported(fingerprint) { return }
    try change(Self.importedKey) { pages in
      Array(((pages as? [String] ?? []) + [fingerprint]).suffix(Self.importedLimit))
    }
  }
}
