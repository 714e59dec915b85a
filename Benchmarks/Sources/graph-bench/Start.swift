import BenchModel
import CoreData

/// What a program does first: open a stack over a store, and fetch one object from it.
@MainActor
struct Start {
  let harness: Harness

  /// Times the opening and the first fetch; the model is made within that time.
  func run() throws {
    try harness.adoptDatabase()
    let key = try firstKey()
    let start = Harness.now()
    let context = try harness.openContainer().viewContext
    let opened = Harness.now()
    let request = NSFetchRequest<Post>(entityName: "Post")
    request.predicate = NSPredicate(format: "postID == %@", key)
    request.fetchLimit = 1
    let posts = try context.fetch(request)
    let sum = posts.reduce(0) { $0 + $1.objectID.rowKey + Int64($1.innerHTML?.utf8.count ?? 0) }
    let seconds = Harness.now() - start
    harness.report(
      posts.count, seconds, sum, "\"open_s\":\(String(format: "%.6f", opened - start))")
  }

  /// The first id to look for; the others are not read, so that a larger data set costs no more.
  private func firstKey() throws -> String {
    let file = URL(fileURLWithPath: "\(harness.folder)/q7.bin")
    guard let bytes = try FileHandle(forReadingFrom: file).read(upToCount: 8), bytes.count == 8
    else { throw CocoaError(.fileReadCorruptFile) }
    return String(bytes.withUnsafeBytes { $0.loadUnaligned(as: Int64.self) })
  }
}
