import CoreData
import OpenPersistenceKit

/// What is fixed on the site.
enum ForumRules {
  /// The group whose forums take no more posts.
  static let archivesGroupID = "49"
}

extension Sequence {
  /// The elements whose key was not seen before, in order: pages may list something twice.
  func uniqued<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
    var seen: Set<Key> = []
    return filter { seen.insert(key($0)).inserted }
  }
}

extension NSFetchRequestResult where Self: NSManagedObject {
  /// Assigns a text only if there is one and it differs: an empty one never overwrites.
  func updateUnlessEmpty(
    _ property: ReferenceWritableKeyPath<Self, String?>, to text: String?
  ) {
    guard let text, !text.isEmpty else { return }
    update(property, to: text)
  }
}
