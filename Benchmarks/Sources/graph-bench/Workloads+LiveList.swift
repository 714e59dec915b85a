import BenchModel
import Foundation
import OpenCoreData

// Twenty insertions of a hundred threads into a list of ten thousand threads.

extension Workloads {
  /// A fetched results controller reports the positions of the new threads.
  func liveList() throws {
    let places = InsertedPlaces()
    let controller = try makeList()
    controller.delegate = places
    try controller.performFetch()
    let rounds = try NewThreads(harness, context)
    var latencies: [Double] = []
    for round in 0..<20 {
      let start = Harness.now()
      rounds.insert(round, in: context)
      try context.save()
      latencies.append(Harness.now() - start)
    }
    report(latencies, places.sum)
  }

  /// The list is fetched again after each insertion and searched for the new threads.
  func fetchedList() throws {
    let controller = try makeList()
    try controller.performFetch()
    var seen = Set((controller.fetchedObjects ?? []).map(\.objectID.rowKey))
    let rounds = try NewThreads(harness, context)
    var latencies: [Double] = []
    var sum: Int64 = 0
    for round in 0..<20 {
      let start = Harness.now()
      rounds.insert(round, in: context)
      try context.save()
      try controller.performFetch()
      for (index, thread) in (controller.fetchedObjects ?? []).enumerated()
      where seen.insert(thread.objectID.rowKey).inserted {
        sum += Int64(index)
      }
      latencies.append(Harness.now() - start)
    }
    report(latencies, sum)
  }

  private func report(_ latencies: [Double], _ sum: Int64) {
    let middle = latencies.sorted()[latencies.count / 2]
    harness.report(
      latencies.count, latencies.reduce(0, +), sum,
      "\"p50_us\":\(String(format: "%.1f", middle * 1e6))")
  }

  /// Returns a controller for the threads of half of the forums, the latest thread first.
  private func makeList() throws -> NSFetchedResultsController<Thread> {
    let forums = try ids("Forum")
    let request = NSFetchRequest<Thread>(entityName: "Thread")
    request.predicate = NSPredicate(format: "forum <= %@", forums[(forums.count - 1) / 2])
    request.sortDescriptors = [NSSortDescriptor(key: "lastPostDate", ascending: false)]
    return NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
  }
}

/// Inserts the new threads from the generated data file.
@MainActor
private struct NewThreads {
  private let forums: [NSManagedObjectID]
  private let users: [NSManagedObjectID]
  private let records: [Int64]
  private let first: Int64

  init(_ harness: Harness, _ context: NSManagedObjectContext) throws {
    let workloads = try Workloads(harness, context)
    forums = try workloads.ids("Forum")
    users = try workloads.ids("User")
    records = try harness.integers("new_threads.bin")
    first = harness.number("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 3") + 1
  }

  func insert(_ round: Int, in context: NSManagedObjectContext) {
    for index in round * 100..<(round + 1) * 100 {
      let thread = Thread(context: context)
      thread.closed = false
      thread.sticky = false
      thread.totalReplies = 0
      thread.rating = 0
      thread.threadID = "n\(first + Int64(index))"
      thread.title = "new thread"
      thread.forum = context.object(with: forums[Int(records[index * 3])]) as? Forum
      thread.author = context.object(with: users[Int(records[index * 3 + 1])]) as? User
      thread.lastPostDate = Date(
        timeIntervalSinceReferenceDate: Double(
          bitPattern: UInt64(bitPattern: records[index * 3 + 2])))
    }
  }
}

/// Computes the sum of the positions at which objects were inserted.
private final class InsertedPlaces: NSFetchedResultsControllerDelegate {
  private(set) var sum: Int64 = 0

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    if type == .insert { sum += Int64(newIndexPath?.item ?? 0) }
  }
}
