import CoreData
import ForumScraping
import OpenPersistenceKit

/// Finds or creates the icons of a page with one fetch: first by id, then by image name.
///
/// Both lookup tables stay current during the import. Confined to its context.
final class ThreadTagBatch {
  private let context: NSManagedObjectContext
  private var byID: [String: ThreadTag] = [:]
  private var byImageName: [String: ThreadTag] = [:]

  /// Fetches the existing icons.
  ///
  /// - Parameters:
  ///   - context: The context of the icons.
  ///   - icons: The icons of the page.
  ///   - imageNames: The image names of additional icons without known ids.
  init(
    in context: NSManagedObjectContext, icons: [ThreadIcon], imageNames: [String]
  ) throws {
    self.context = context
    let ids = Set(icons.compactMap(\.id))
    let names = Set(icons.map(\.imageName) + imageNames)
    guard !ids.isEmpty || !names.isEmpty else { return }
    let request: NSFetchRequest<ThreadTag> = ThreadTag.fetchRequest()
    request.predicate = NSPredicate(
      format: "threadTagID IN %@ OR imageName IN %@", argumentArray: [ids.sorted(), names.sorted()])
    request.sortDescriptors = [NSSortDescriptor(key: "threadTagID", ascending: true)]
    request.returnsObjectsAsFaults = false
    for tag in try context.fetch(request) { remember(tag) }
  }

  /// Merges icons with the same id, or with the same name and no id. Programs that sync at the same time can create such duplicates.
  ///
  /// - Parameter context: The context of the icons. This method does not save it.
  /// - Throws: Any error from the fetch.
  static func mergeDuplicates(in context: NSManagedObjectContext) throws {
    let tags = try context.fetch(ThreadTag.fetchRequest() as NSFetchRequest<ThreadTag>)
    let groups = Dictionary(grouping: tags) { tag in
      tag.threadTagID.map { "id \($0)" } ?? "name \(tag.imageName ?? "")"
    }
    for group in groups.values where group.count > 1 {
      // Every program that merges chooses the same icon.
      let sorted = group.sorted { number(of: $0) < number(of: $1) }
      for other in sorted.dropFirst() { merge(other, into: sorted[0]) }
    }
  }

  private static func number(of tag: ThreadTag) -> Int {
    Int(tag.objectID.uriRepresentation().lastPathComponent.dropFirst()) ?? .max
  }

  private static func merge(_ other: ThreadTag, into tag: ThreadTag) {
    tag.threads.formUnion(other.threads)
    tag.secondaryThreads.formUnion(other.secondaryThreads)
    tag.announcements.formUnion(other.announcements)
    tag.messages.formUnion(other.messages)
    tag.updateIfPresent(\.imageName, to: tag.imageName ?? other.imageName)
    other.managedObjectContext?.delete(other)
  }

  /// The tag for an icon, created if it does not exist.
  subscript(icon: ThreadIcon) -> ThreadTag {
    let tag = existing(icon) ?? ThreadTag(context: context)
    tag.updateIfPresent(\.threadTagID, to: icon.id)
    tag.updateUnlessEmpty(\.imageName, to: icon.imageName)
    remember(tag)
    return tag
  }

  /// The tag for an image name, created if it does not exist.
  subscript(imageName: String) -> ThreadTag {
    if let tag = byImageName[imageName] { return tag }
    let tag = ThreadTag(context: context)
    tag.imageName = imageName
    remember(tag)
    return tag
  }

  /// Returns the existing tag for an icon. A tag known only by name matches; a tag with another id does not.
  private func existing(_ icon: ThreadIcon) -> ThreadTag? {
    guard let id = icon.id else { return byImageName[icon.imageName] }
    if let tag = byID[id] { return tag }
    guard let tag = byImageName[icon.imageName], tag.threadTagID == nil else { return nil }
    return tag
  }

  private func remember(_ tag: ThreadTag) {
    if let id = tag.threadTagID { byID[id] = tag }
    if let name = tag.imageName, byImageName[name] == nil { byImageName[name] = tag }
  }
}
