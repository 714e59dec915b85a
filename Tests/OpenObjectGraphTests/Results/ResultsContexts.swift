import Foundation
import OpenCoreData
import Testing

/// Followed results in a context and in its child, while these and another context change, save and delete in batches.
///
/// Small, so that windows and unsaved objects often overlap.
struct ResultsContexts {
  /// A followed controller, and the difference between its request and the default request.
  private struct Followed {
    let name: String
    let context: NSManagedObjectContext
    let hasSections: Bool
    let adjust: (NSFetchRequest<ResultsEntry>) -> Void
    let controller: NSFetchedResultsController<ResultsEntry>
    let recorder: ResultsRecorder
  }

  private let stack: ResultsStack
  private let writer: NSManagedObjectContext
  private let child: NSManagedObjectContext?
  private var numbers: SeededNumbers
  private var followed: [Followed] = []
  private static let size = 14

  init(_ store: String, seed: UInt64, hasChild: Bool) throws {
    stack = try ResultsStack(store)
    numbers = SeededNumbers(seed: seed)
    writer = stack.container.newBackgroundContext()
    try stack.seed(Self.size, perSection: 4)
    let reader = stack.context
    if hasChild {
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.parent = reader
      child = context
    } else {
      child = nil
    }
    for context in [reader, writer, child].compactMap(\.self) {
      context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
      context.automaticallyMergesChangesFromParent = true
    }
    for context in [reader, child].compactMap(\.self) {
      let name = context === reader ? "parent" : "child"
      try follow("\(name): all", context, hasSections: true) { _ in }
      try follow("\(name): limit", context) { $0.fetchLimit = 4 }
      try follow("\(name): offset", context) { $0.fetchOffset = 3 }
      try follow("\(name): window", context) { ($0.fetchLimit, $0.fetchOffset) = (4, 2) }
    }
  }

  private mutating func follow(
    _ name: String, _ context: NSManagedObjectContext, hasSections: Bool = false,
    _ adjust: @escaping (NSFetchRequest<ResultsEntry>) -> Void
  ) throws {
    let stack = stack
    let (controller, recorder) = try context.performAndWait {
      try stack.followed(sections: hasSections, in: context, adjust)
    }
    followed.append(
      Followed(
        name: name, context: context, hasSections: hasSections, adjust: adjust,
        controller: controller, recorder: recorder))
  }

  // MARK: Steps

  /// Takes one step and waits until all contexts have merged it.
  ///
  /// - Returns: What it was.
  mutating func step() throws -> String {
    let reader = stack.context
    let name: String
    switch numbers.below(12) {
    case 0..<3:
      name = "edit the parent: " + (try edit(reader))
      try reader.performAndWait {
        // A child merges its parent's saves, while its fetches also include the parent's unsaved changes.
        if child == nil { reader.processPendingChanges() } else { try reader.save() }
      }
    case 3..<6:
      let context = child ?? reader
      name = "edit the child: " + (try edit(context))
      context.performAndWait { context.processPendingChanges() }
    case 6:
      name = "save the child"
      if let child { try child.performAndWait { try child.save() } }
    case 7:
      name = "save the parent"
      try reader.performAndWait { try reader.save() }
    case 8..<10: name = "save the other: " + (try write())
    case 10:
      let first = numbers.below(3)
      var parts: [String] = []
      if first == 0 { parts.append(try write()) }
      parts.append(try deleteBatch())
      if first == 1 { parts.append(try write()) }
      name = "delete a batch: " + parts.joined(separator: ", ")
    default:
      let context = child ?? reader
      let isRefresh = numbers.below(2) == 0
      name = isRefresh ? "refresh" : "roll back"
      context.performAndWait { isRefresh ? context.refreshAllObjects() : context.rollback() }
    }
    settle()
    return name
  }

  private func settle() {
    for context in [writer, stack.context, child].compactMap(\.self) { context.performAndWait {} }
  }

  private mutating func write() throws -> String {
    writer.performAndWait { writer.rollback() }
    let name = try edit(writer)
    try writer.performAndWait { try writer.save() }
    return name
  }

  /// Deletes rows of the store, and merges the deletions into the contexts.
  private mutating func deleteBatch() throws -> String {
    var numbers = numbers
    let writer = writer
    let ids = try writer.performAndWait {
      writer.rollback()
      let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "ResultsEntry")
      let rank = numbers.below(Self.size * 10)
      request.predicate = NSPredicate(format: "rank BETWEEN {%d, %d}", rank, rank + 25)
      let deletion = NSBatchDeleteRequest(fetchRequest: request)
      deletion.resultType = .resultTypeObjectIDs
      let result = try writer.execute(deletion) as? NSBatchDeleteResult
      return result?.result as? [NSManagedObjectID] ?? []
    }
    self.numbers = numbers
    NSManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [NSDeletedObjectIDsKey: ids], into: [stack.context, writer])
    return "\(ids.count) rows"
  }

  /// Changes a few objects of a context.
  private mutating func edit(_ context: NSManagedObjectContext) throws -> String {
    var numbers = numbers
    let (stack, hasChild) = (stack, child != nil)
    var name: [String] = []
    try context.performAndWait {
      for _ in 0...numbers.below(3) {
        let request = ResultsStack.request()
        request.predicate = nil
        let entries = try context.fetch(request)
        let kind = numbers.below(10)
        guard !entries.isEmpty, kind > 2 || entries.count > Self.size else {
          let entry = stack.insert(
            numbers.below(Self.size * 10), section: numbers.section, shown: numbers.below(4) > 0,
            in: context)
          name.append("insert \(entry.serial)")
          continue
        }
        let entry = entries[numbers.below(entries.count)]
        // A parent does not report the deletion of unsaved objects to its children.
        if kind < 3, entry.isInserted, hasChild, context === stack.context { continue }
        name.append("\(kind) of \(entry.serial)")
        switch kind {
        case 0, 1: context.delete(entry)
        case 2:
          // Changed and deleted in one event.
          entry.rank += 1
          context.delete(entry)
        case 3, 4: entry.rank = Int32(numbers.below(Self.size * 10))
        case 5: entry.section = numbers.section
        case 6: entry.isShown.toggle()
        case 7:
          let folder = ResultsFolder(context: context)
          folder.index = Int32(numbers.below(100_000))
          folder.entries = NSSet(array: Array(entries.prefix(numbers.below(4))))
        case 8:
          let folders = try context.fetch(
            NSFetchRequest<ResultsFolder>(entityName: "ResultsFolder"))
          entry.folder = folders.sorted { $0.index < $1.index }.first
        default:
          if let folder = entry.folder { context.delete(folder) }
        }
      }
    }
    self.numbers = numbers
    return name.joined(separator: ", ")
  }

  // MARK: Comparing

  /// The names of the results that differ from a new fetch.
  func differences() throws -> [String] {
    var names: [String] = []
    for results in followed {
      let isSame = try results.context.performAndWait {
        let fresh = stack.controller(
          sections: results.hasSections, in: results.context, results.adjust)
        try fresh.performFetch()
        let objects = results.controller.fetchedObjects ?? []
        return (fresh.fetchedObjects ?? []).elementsEqual(objects, by: ===)
          && fresh.content == results.controller.content
          && results.recorder.list.joined().elementsEqual(objects, by: ===)
      }
      if !isSame { names.append(results.name) }
    }
    return names
  }
}
