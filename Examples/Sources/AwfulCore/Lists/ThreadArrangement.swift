public import CoreData
import OpenPersistenceKit

/// The filter and the order of a thread list.
///
/// A value.
public struct ThreadArrangement: Sendable, Hashable {
  /// The image name that the first or second icon of the threads must have; nil for all threads.
  public var icon: String?
  /// The bookmark colour that the threads must have, starting at 0; nil for all threads.
  public var color: Int16?
  /// Whether the threads must have new posts since the reader opened them, or must have none; nil for all threads.
  public var hasNewPosts: Bool?
  /// Text that the title or the author's name of the threads must contain, ignoring case and accents; empty for all threads.
  public var text = ""
  /// Whether threads with new posts since the reader opened them come before the others.
  public var isUnreadFirst = false

  /// Creates an arrangement of all threads in the order of the site.
  public init() {}

  /// The condition on threads; nil for all threads.
  var predicate: NSPredicate? {
    var parts: [NSPredicate] = []
    if let icon {
      parts.append(
        NSPredicate(
          format: "threadTag.imageName == %@ OR secondaryThreadTag.imageName == %@",
          argumentArray: [icon, icon]))
    }
    if let color {
      parts.append(
        NSPredicate(
          format: "bookmarked == YES AND starCategory == %@", argumentArray: [color as NSNumber]))
    }
    if let hasNewPosts {
      parts.append(
        NSPredicate(format: "anyUnreadPosts == %@", argumentArray: [hasNewPosts as NSNumber]))
    }
    if !text.isEmpty {
      parts.append(
        NSPredicate(
          format: "title CONTAINS[cd] %@ OR author.username CONTAINS[cd] %@",
          argumentArray: [text, text]))
    }
    return parts.isEmpty ? nil : NSCompoundPredicate(andPredicateWithSubpredicates: parts)
  }

  /// The sort order. Sticky threads stay on top.
  var order: [NSSortDescriptor] {
    var keys = ForumThread.listOrder
    if isUnreadFirst { keys.insert(("anyUnreadPosts", false), at: 1) }
    return keys.map { NSSortDescriptor(key: $0, ascending: $1) }
  }

  /// Returns a request for the threads of a list.
  func request(of threads: ForumFeed.Threads) -> NSFetchRequest<ForumThread> {
    let request = NSFetchRequest<ForumThread>(entityName: "Thread")
    request.predicate = NSCompoundPredicate(
      andPredicateWithSubpredicates: [threads.predicate] + (predicate.map { [$0] } ?? []))
    request.sortDescriptors = order
    return request
  }

  /// Returns the number of shown threads in a list.
  ///
  /// - Parameter context: The context to read from. Call on its queue.
  /// - Throws: Any error from the fetch.
  public func count(
    of threads: ForumFeed.Threads, in context: NSManagedObjectContext
  ) throws -> Int {
    try context.count(for: request(of: threads))
  }

  /// Returns the image names of the first and second icons in a list, in alphabetical order. Executes one statement.
  ///
  /// - Parameter context: The context to read from. Call on its queue.
  /// - Throws: Any error from the fetch.
  public static func icons(
    of threads: ForumFeed.Threads, in context: NSManagedObjectContext
  ) throws -> [String] {
    let request = NSFetchRequest<NSDictionary>(entityName: "Thread")
    request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
      threads.predicate,
      NSPredicate(
        format: "threadTag.imageName != nil OR secondaryThreadTag.imageName != nil",
        argumentArray: []),
    ])
    request.resultType = .dictionaryResultType
    let names = ["threadTag.imageName", "secondaryThreadTag.imageName"]
    request.propertiesToFetch = names
    request.returnsDistinctResults = true
    let found = try context.fetch(request).flatMap { row in names.map { row[$0] as? String } }
    return Set(found.compactMap(\.self)).sorted()
  }
}
