internal import OpenObjectModel
internal import Synchronization

/// Contexts that are to be told of something, as long as they live.
final class WeakContexts: Sendable {
  private let links = Mutex<[ObjectIdentifier: WeakLink<NSManagedObjectContext>]>([:])

  var all: [NSManagedObjectContext] { links.withLock { $0.values.compactMap(\.target) } }

  func insert(_ context: NSManagedObjectContext) {
    let link = context.link
    links.withLock { links in
      links = links.filter { $0.value.target != nil }
      links[ObjectIdentifier(link)] = link
    }
  }

  func remove(_ context: NSManagedObjectContext) {
    let link = ObjectIdentifier(context.link)
    links.withLock { $0[link] = nil }
  }
}
