import CoreData

// The forum as managed objects.

enum Objects {
  @ManagedObject
  final class Forum: NSManagedObject {}

  @ManagedObject
  final class Thread: NSManagedObject {}

  @ManagedObject
  final class User: NSManagedObject {}

  @ManagedObject
  final class Post: NSManagedObject {
    @Managed var postID: String?
    @Managed var title: String?
    @Managed var innerHTML: String?
    @Managed var editable: Bool
    @Managed var ignored: Bool
    @Managed var threadIndex: Int32
    @Managed var score: Double
    @Managed var postDate: Date?
    @Managed var thread: Thread?
    @Managed var author: User?
  }
}
