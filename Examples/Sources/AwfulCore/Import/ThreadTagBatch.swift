import CoreData
import ForumScraping
import OpenPersistenceKit

/// Finds or makes the icons of a page with one fetch: by id first, then by image name.
///
/// Both ways to find an icon stay current while the page is imported. Confined to its context.
final class ThreadTagBatch {
  private let context: NSManagedObjectContext
  private var byID: [String: ThreadTag] = [:]
  private var byImageName: [String: ThreadTag] = [:]

  /// Fetches the icons that exist already.
  ///
  /// - Parameters:
  ///   - context: Where they live.
  ///   - icons: The icons of the page.
  ///   - imageNames: Names of further icons, known without id.
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

  /// The icon, made when there is none.
  subscript(icon: ThreadIcon) -> ThreadTag {
    let tag = existing(icon) ?? ThreadTag(context: context)
    tag.updateIfPresent(\.threadTagID, to: icon.id)
    tag.updateUnlessEmpty(\.imageName, to: icon.imageName)
    remember(tag)
    return tag
  }

  /// The icon of an image name, made when there is none.
  subscript(imageName: String) -> ThreadTag {
    if let tag = byImageName[imageName] { return tag }
    let tag = ThreadTag(context: context)
    tag.imageName = imageName
    remember(tag)
    return tag
  }

  /// An icon known by name only is the same one; one with another id is not.
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
