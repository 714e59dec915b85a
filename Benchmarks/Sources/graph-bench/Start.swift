import CoreData

/// What a program does first: open a stack over a store, and fetch one object from it.
@MainActor
struct Start {
  let harness: Harness

  /// Times the opening and the first fetch; the model is made within that time.
  func run() throws {
    try harness.adoptDatabase()
    guard let key = try harness.integers("q7.bin").first else {
      throw CocoaError(.fileReadCorruptFile)
    }
    let start = Harness.now()
    let context = try harness.openContainer().viewContext
    let opened = Harness.now()
    let request = NSFetchRequest<Post>(entityName: "Post")
    request.predicate = NSPredicate(format: "postID == %@", String(key))
    request.fetchLimit = 1
    let posts = try context.fetch(request)
    let sum = posts.reduce(0) { $0 + $1.objectID.rowKey + Int64($1.innerHTML?.utf8.count ?? 0) }
    let seconds = Harness.now() - start
    harness.report(
      posts.count, seconds, sum, "\"open_s\":\(String(format: "%.6f", opened - start))")
  }
}
