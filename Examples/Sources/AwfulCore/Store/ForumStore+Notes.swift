import CoreData
import ForumHTML
public import Foundation
import OpenPersistenceKit
import StoreSharing

// What the store's metadata say beside its objects: the reader that it belongs to, when lists without objects of their own were
// fetched, and which saved pages were imported.

extension ForumStore {
  private var notes: [String: Any] {
    let coordinator = container.persistentStoreCoordinator
    return coordinator.persistentStores.first.map { coordinator.metadata(for: $0) } ?? [:]
  }

  private func note(_ value: Any, as key: String) throws {
    let coordinator = container.persistentStoreCoordinator
    guard let store = coordinator.persistentStores.first else { return }
    var metadata = coordinator.metadata(for: store)
    metadata[key] = value
    coordinator.setMetadata(metadata, for: store)
    let context = newBackgroundContext()
    try context.performAndWait { try context.save() }
  }

  // MARK: Texts of posts

  private static let textsKey = "AwfulPostTexts"

  /// Gives posts that a version without texts has stored the text of their bodies, once for each store.
  ///
  /// - Throws: What a fetch or a save throws; the next opening goes on.
  func fillTexts() throws {
    if notes[Self.textsKey] != nil { return }
    while try performBatchOperation({ try Self.fillTexts(in: $0) }) {}
    try note(true, as: Self.textsKey)
  }

  /// - Returns: Whether there were posts without a text.
  private static func fillTexts(in context: NSManagedObjectContext) throws -> Bool {
    let request = NSFetchRequest<Post>(entityName: "Post")
    request.predicate = NSPredicate(
      format: "text == nil AND innerHTML != nil", argumentArray: [])
    request.fetchLimit = 500
    let posts = try context.fetch(request)
    for post in posts {
      // A body that cannot be parsed is searched as it is.
      let tree = try? HTMLParser.parse("<!DOCTYPE html><body>\(post.innerHTML ?? "")")
      post.text = tree?.body.readableText.trimmingWhitespace ?? post.innerHTML
    }
    return !posts.isEmpty
  }

  // MARK: The reader

  private static let readerKey = "AwfulReader"

  /// The id of the reader whose marks and bookmarks the store holds; nil before a first sync with a log-in.
  public var readerID: String? { notes[Self.readerKey] as? String }

  /// Notes whose marks and bookmarks the store is going to hold.
  ///
  /// - Throws: What the save throws.
  public func noteReader(_ id: String) throws {
    if readerID != id { try note(id, as: Self.readerKey) }
  }

  // MARK: Lists

  /// A list whose time of fetching no object has.
  public enum NotedList: String, Sendable {
    /// Groups and forums.
    case index = "AwfulIndexRefresh"
    /// The reader's bookmarks.
    case bookmarks = "AwfulBookmarksRefresh"
    /// The folders of private messages.
    case messages = "AwfulMessagesRefresh"
  }

  /// When a list was last fetched whole; nil if it never was.
  public func lastRefresh(of list: NotedList) -> Date? { notes[list.rawValue] as? Date }

  /// Notes when a list was fetched whole.
  ///
  /// - Throws: What the save throws.
  public func noteRefresh(of list: NotedList, at instant: Date) throws {
    try note(instant, as: list.rawValue)
  }

  // MARK: The ignore list

  private static let ignoredKey = "AwfulIgnoredNames"

  /// The names on the reader's ignore list, as the site last showed it; nil before it was read.
  public var ignoredNames: [String]? { notes[Self.ignoredKey] as? [String] }

  /// Notes the names on the reader's ignore list.
  ///
  /// - Throws: What the save throws.
  public func noteIgnoredNames(_ names: [String]) throws {
    if ignoredNames != names { try note(names, as: Self.ignoredKey) }
  }

  // MARK: Saved pages

  private static let importedKey = "AwfulImportedPages"
  /// How many saved pages are remembered: the metadata is read whole whenever the store is opened.
  private static let importedLimit = 500

  private var importedPages: [String] { notes[Self.importedKey] as? [String] ?? [] }

  /// Whether a saved page is among the last 500 that were imported.
  public func hasImported(_ fingerprint: String) -> Bool { importedPages.contains(fingerprint) }

  /// Notes in the store's metadata that a saved page was imported, and forgets the oldest of more than 500.
  ///
  /// - Throws: What the save throws.
  public func noteImported(_ fingerprint: String) throws {
    if hasImported(fingerprint) { return }
    try note(
      Array((importedPages + [fingerprint]).suffix(Self.importedLimit)), as: Self.importedKey)
  }
}
