import CoreData
import OpenPersistenceKit

/// Fixed rules of the site.
enum ForumRules {
  /// The group whose forums no longer accept posts.
  static let archivesGroupID = "49"
}

extension Sequence {
  /// Returns the elements without repeated keys, in order. Pages may list an element twice.
  func uniqued<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
    var seen: Set<Key> = []
    return filter { seen.insert(key($0)).inserted }
  }
}

extension NSFetchRequestResult where Self: NSManagedObject {
  /// Assigns a text if it is neither nil nor empty and differs from the current one.
  func updateUnlessEmpty(
    _ property: ReferenceWritableKeyPath<Self, String?>, to text: String?
  ) {
    guard let text, !text.isEmpty else { return }
    update(property, to: text)
  }
}
