import BenchModel
import Foundation
import OpenCoreData

/// Measures the start of a program, which opens a store and fetches one object.
@MainActor
struct Start {
  let harness: Harness

  /// Measures the time to create the model, open the store and fetch the first object.
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

  /// Returns the first post id of the query file. The other ids are not read, so that the cost does
  /// not depend on the size of the data set.
  private func firstKey() throws -> String {
    let file = URL(fileURLWithPath: "\(harness.folder)/q7.bin")
    guard let bytes = try FileHandle(forReadingFrom: file).read(upToCount: 8), bytes.count == 8
    else { throw CocoaError(.fileReadCorruptFile) }
    return String(bytes.withUnsafeBytes { $0.loadUnaligned(as: Int64.self) })
  }
}
