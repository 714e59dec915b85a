import Foundation
import OpenCoreData
import Testing

/// Random changes of every kind; the followed results equal those of a new fetch.
///
/// `OPENCOREDATA_LONG_RESULTS` runs 10,000 change sets on 3,000 objects and compares every tenth with a new fetch;
/// otherwise, the fetches would take most of an hour. `OPENCOREDATA_RESULTS_SEED` is another seed, and
/// `OPENCOREDATA_RESULTS_SEEDS` the number of seeds for results in several contexts.
@Suite("Fetched results: random changes")
struct SeededResultsTests {
  private static let environment = ProcessInfo.processInfo.environment

  @Test(
    "followed results equal a new fetch, and the delegate's calls update a mirrored list with the fewest moves",
    arguments: ResultsStack.stores)
  func randomChanges(_ store: String) throws {
    let isLong = Self.environment["OPENCOREDATA_LONG_RESULTS"] != nil
    let seed = Self.environment["OPENCOREDATA_RESULTS_SEED"].flatMap { UInt64($0) } ?? 7
    print("seed \(seed), \(store)")
    var world = try ResultsWorld(store, seed: seed, count: isLong ? 3000 : 300)
    let last = isLong ? 9999 : 1999
    for number in 0...last {
      let isChecked = !isLong || number.isMultiple(of: 10) || number == last
      world.checksMoves(isChecked)
      try world.step()
      guard isChecked else { continue }
      let differs = try world.differs()
      #expect(!differs, "change set \(number) of seed \(seed)")
      if differs { return }
      if number.isMultiple(of: 1000) { print("\(store): \(number) change sets") }
    }
    #expect(world.moves > 0 && world.seenSections > 1)
  }

  /// The seeds of the tests with several contexts; `OPENCOREDATA_RESULTS_SEEDS` is their number.
  private static var seeds: ClosedRange<UInt64> {
    if let seed = environment["OPENCOREDATA_RESULTS_SEED"].flatMap({ UInt64($0) }) {
      return seed...seed
    }
    return 1...max(1, environment["OPENCOREDATA_RESULTS_SEEDS"].flatMap { UInt64($0) } ?? 12)
  }

  @Test(
    "results of a parent and a child, whole and in windows, equal a fresh fetch after each step",
    arguments: ResultsStack.stores, [false, true])
  func contexts(_ store: String, hasChild: Bool) throws {
    for seed in Self.seeds {
      var world = try ResultsContexts(store, seed: seed, hasChild: hasChild)
      for number in 0..<60 {
        let step = try world.step()
        let differences = try world.differences()
        #expect(
          differences.isEmpty,
          "\(store), \(hasChild ? "with" : "without") child, seed \(seed), step \(number): \(step)")
        if !differences.isEmpty { return }
      }
    }
  }
}

/// Two contexts over one store, the first with followed results.
private struct ResultsWorld {
  private let stack: ResultsStack
  private let writer: NSManagedObjectContext
  private let controller: NSFetchedResultsController<ResultsEntry>
  private let recorder: ResultsRecorder
  private var numbers: SeededNumbers
  private let size: Int
  private(set) var moves = 0
  private(set) var seenSections = 0

  init(_ store: String, seed: UInt64, count: Int) throws {
    stack = try ResultsStack(store)
    numbers = SeededNumbers(seed: seed)
    size = count
    writer = stack.container.newBackgroundContext()
    try stack.seed(count, perSection: max(1, count / 8))
    let reader = stack.context
    reader.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    writer.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    reader.automaticallyMergesChangesFromParent = true
    writer.automaticallyMergesChangesFromParent = true
    let stack = stack
    (controller, recorder) = try reader.performAndWait { try stack.followed(sections: true) }
  }

  /// Makes one change set: some edits in this context, or in the other context, which saves.
  mutating func step() throws {
    let reader = stack.context
    switch numbers.below(10) {
    case 0..<6:
      try edit(in: reader)
      reader.performAndWait { reader.processPendingChanges() }
    case 6:
      try edit(in: reader)
      try reader.performAndWait { try reader.save() }
      writer.performAndWait {}
    case 7..<9:
      writer.performAndWait { writer.rollback() }
      try edit(in: writer)
      try writer.performAndWait { try writer.save() }
      reader.performAndWait {}
    default:
      let isRefresh = numbers.below(2) == 0
      reader.performAndWait { isRefresh ? reader.refreshAllObjects() : reader.rollback() }
    }
    moves += recorder.count(.move)
    seenSections = max(seenSections, recorder.list.count)
  }

  /// Makes the recorder compare the number of moves with the minimum.
  func checksMoves(_ flag: Bool) { recorder.checksMoves = flag }

  private mutating func edit(in context: NSManagedObjectContext) throws {
    var ids = try candidates(in: context)
    var numbers = numbers
    let (stack, size) = (stack, size)
    context.performAndWait {
      for _ in 0...numbers.below(6) {
        let kind = numbers.below(8)
        guard !ids.isEmpty, kind > 1 || ids.count > size * 3 / 4 else {
          stack.insert(
            numbers.below(size * 10), section: numbers.section, shown: numbers.below(4) > 0,
            in: context)
          continue
        }
        let index = numbers.below(ids.count)
        guard let entry = context.object(with: ids[index]) as? ResultsEntry else { continue }
        switch kind {
        case 0, 1:
          ids.remove(at: index)
          context.delete(entry)
        case 2, 3: entry.rank = Int32(numbers.below(size * 10))
        case 4: entry.rank += 1
        case 5: entry.section = numbers.section
        case 6: entry.isShown.toggle()
        default: entry.section = entry.section
        }
      }
    }
    self.numbers = numbers
  }

  /// The objects to choose from: occasionally all objects, otherwise the saved objects in the
  /// results.
  private mutating func candidates(
    in context: NSManagedObjectContext
  ) throws -> [NSManagedObjectID] {
    let takesAll = numbers.below(8) == 0
    let controller = controller
    return try (takesAll ? context : stack.context).performAndWait {
      guard takesAll else {
        return (controller.fetchedObjects ?? []).map(\.objectID).filter { !$0.isTemporaryID }
      }
      let request = NSFetchRequest<ResultsEntry>(entityName: "ResultsEntry")
      request.sortDescriptors = [NSSortDescriptor(key: "serial", ascending: true)]
      return try context.fetch(request).map(\.objectID)
    }
  }

  /// Whether the followed results differ from a new fetch.
  func differs() throws -> Bool {
    try stack.context.performAndWait {
      let fresh = stack.controller(sections: true)
      try fresh.performFetch()
      let objects = controller.fetchedObjects ?? []
      func outline(_ controller: NSFetchedResultsController<ResultsEntry>) -> [String] {
        (controller.sections ?? []).map { "\($0.name) \($0.numberOfObjects)" }
      }
      let isSame =
        (fresh.fetchedObjects ?? []).elementsEqual(objects, by: ===)
        && outline(fresh) == outline(controller)
      let isMirrored = recorder.list.joined().elementsEqual(objects, by: ===)
      let arePlaces = stride(from: 0, to: objects.count, by: 7).allSatisfy { index in
        let path = controller.indexPath(forObject: objects[index])
        return path.map { controller.object(at: $0) === objects[index] } ?? false
      }
      return !isSame || !isMirrored || !arePlaces
    }
  }
}
