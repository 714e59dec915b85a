public import CoreData
import OpenPersistenceKit

/// Which threads of a list are shown, and what comes first.
///
/// A value.
public struct ThreadArrangement: Sendable, Hashable {
  /// The image name of the icon that the threads have, as first or second one; nil for all threads.
  public var icon: String?
  /// The colour of the bookmark that the threads have, from 0; nil for all threads.
  public var color: Int16?
  /// Whether threads with posts that came after the reader opened them are listed before the others.
  public var isUnreadFirst = false

  /// Lists all threads in the order of the site.
  public init() {}

  /// The condition on threads; nil for all of them.
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
    return parts.isEmpty ? nil : NSCompoundPredicate(andPredicateWithSubpredicates: parts)
  }

  /// The order: sticky threads stay on top.
  var order: [NSSortDescriptor] {
    var keys = ForumThread.listOrder
    if isUnreadFirst { keys.insert(("anyUnreadPosts", false), at: 1) }
    return keys.map { NSSortDescriptor(key: $0, ascending: $1) }
  }

  /// A request for the threads of a list.
  func request(of threads: ForumFeed.Threads) -> NSFetchRequest<ForumThread> {
    let request = NSFetchRequest<ForumThread>(entityName: "Thread")
    request.predicate = NSCompoundPredicate(
      andPredicateWithSubpredicates: [threads.predicate] + (predicate.map { [$0] } ?? []))
    request.sortDescriptors = order
    return request
  }

  /// How many threads of a list are shown.
  ///
  /// - Parameter context: Where to read; call on its queue.
  /// - Throws: What the fetch throws.
  public func count(
    of threads: ForumFeed.Threads, in context: NSManagedObjectContext
  ) throws -> Int {
    try context.count(for: request(of: threads))
  }

  /// The image names of the icons that threads of a list have, as first or second one, in alphabetical order; one statement.
  ///
  /// - Parameter context: Where to read; call on its queue.
  /// - Throws: What the fetch throws.
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
