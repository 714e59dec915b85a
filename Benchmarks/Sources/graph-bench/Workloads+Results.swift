import BenchModel
import Foundation
import OpenCoreData

// Workloads whose results are dictionaries, values or numbers.

extension Workloads {
  /// Fetches one property of each post in the range as dictionaries.
  func properties() throws {
    let start = Harness.now()
    let request = NSFetchRequest<FetchedRow>(entityName: "Post")
    let posts = range()
    request.predicate = posts.predicate
    request.sortDescriptors = posts.sortDescriptors
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["threadIndex"]
    let results = try context.fetch(request)
    var sum: Int64 = 0
    for result in results {
      sum += (result["threadIndex"] as? NSNumber)?.int64Value ?? 0
    }
    harness.report(results.count, Harness.now() - start, sum)
  }

  /// Fetches the same property as typed values.
  func values() throws {
    let start = Harness.now()
    let results = try context.values(of: range(), \.threadIndex)
    var sum: Int64 = 0
    for result in results { sum += Int64(result) }
    harness.report(results.count, Harness.now() - start, sum)
  }

  /// Counts the posts of many threads, one thread per request.
  func counts() throws {
    let queries = try harness.integers("q5.bin")
    let threads = try ids("Thread")
    var sum: Int64 = 0
    let start = Harness.now()
    for position in stride(from: 0, to: queries.count, by: 2) {
      let request = NSFetchRequest<Post>(entityName: "Post")
      request.predicate = NSPredicate(format: "thread == %@", threads[Int(queries[position])])
      sum += Int64(try context.count(for: request))
    }
    harness.report(queries.count / 2, Harness.now() - start, sum)
  }

  /// Fetches the count, the latest date and the mean score of each author's posts.
  func groups() throws {
    let start = Harness.now()
    let request = NSFetchRequest<FetchedRow>(entityName: "Post")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = [
      "author", column("posts", "count:", "author"), column("latest", "max:", "postDate"),
      column("mean", "average:", "score"),
    ]
    request.propertiesToGroupBy = ["author"]
    let results = try context.fetch(request)
    var sum: Int64 = 0
    for result in results {
      sum += (result["author"] as? NSManagedObjectID)?.rowKey ?? 0
      sum += (result["posts"] as? NSNumber)?.int64Value ?? 0
      let latest = result["latest"] as? Date
      sum += Int64(latest?.timeIntervalSinceReferenceDate ?? 0)
      let mean = (result["mean"] as? NSNumber)?.doubleValue
      sum += Int64((mean ?? 0) * 1000)
    }
    harness.report(results.count, Harness.now() - start, sum)
  }

  private func column(
    _ name: String, _ function: String, _ key: String
  ) -> NSExpressionDescription {
    let column = NSExpressionDescription()
    column.name = name
    column.expression = OpenCoreData.NSExpression(
      forFunction: function, arguments: [OpenCoreData.NSExpression(forKeyPath: key)])
    return column
  }

  // MARK: All posts in bounded memory, to measure the memory use

  func walk() throws {
    let start = Harness.now()
    let posts = try context.fetchLazily(NSFetchRequest<Post>(entityName: "Post"))
    var sum: Int64 = 0
    for post in posts { sum += Int64(post.threadIndex) }
    harness.report(posts.count, Harness.now() - start, sum)
  }

  func walkSequence() async throws {
    let start = Harness.now()
    let values = context.results(of: NSFetchRequest<Post>(entityName: "Post")) {
      Int64($0.threadIndex)
    }
    var (count, sum) = (0, Int64(0))
    for try await value in values {
      sum += value
      count += 1
    }
    harness.report(count, Harness.now() - start, sum)
  }

  /// Counts the posts in the range that contain a word, regardless of case and diacritics.
  func searches() throws {
    let start = Harness.now()
    let request = range()
    request.sortDescriptors = nil
    request.predicate = request.predicate.map {
      NSCompoundPredicate(andPredicateWithSubpredicates: [
        $0, NSPredicate(format: "innerHTML CONTAINS[cd] %@", "zurich"),
      ])
    }
    let count = try context.count(for: request)
    harness.report(Int(postCount / 10), Harness.now() - start, Int64(count))
  }
}
