import Foundation
import OpenCoreData
import OpenTestSupport
import Testing

/// Items with and without each value in a store, some of them unsaved, to compare fetches with plain Swift.
final class FormWorld {
  /// Where a form is carried out.
  enum Place { case store, memory }

  static let types = [NSSQLiteStoreType, NSInMemoryStoreType]

  let context: NSManagedObjectContext
  private let container: NSPersistentContainer
  private let folder: URL
  private(set) var items: [Item] = []

  init(_ type: String, seed: UInt64 = 27) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("a.store"))
    description.type = type
    container = NSPersistentContainer(name: "Forms", managedObjectModel: Self.makeModel())
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    context = container.newBackgroundContext()
    try context.performAndWait { try fill(seed) }
  }

  deinit {
    // A folder that cannot be removed is left to the system's cleaning.
    try? FileManager.default.removeItem(at: folder)
  }

  /// Fifty items that are saved, six of which have unsaved changes, and six that are not saved.
  private func fill(_ seed: UInt64) throws {
    var values = FormValues(seed: seed)
    let makers = (0..<4).map { number in
      let maker = Maker(context: context)
      maker.name = ["Ann", nil, "bob", "Ann"][number]
      maker.founded = [1900, 1950, 2000, 1950][number]
      maker.country = ["de", "fr", "de", "at"][number]
      return maker
    }
    var partCount = 0
    for number in 0..<56 {
      if number == 50 { try context.save() }
      let item = Item(context: context)
      item.number = number
      values.fill(item)
      item.maker = values.optional { $0.element(makers) }
      for _ in 0..<values.next(4) {
        let part = Part(context: context)
        values.fill(part, partCount)
        part.item = item
        partCount += 1
      }
      items.append(item)
    }
    for number in 0..<6 { values.fill(items[number * 7]) }
  }

  // MARK: Fetching

  /// The numbers of the items that a fetch finds, in order.
  func numbers(_ predicate: Predicate<Item>, inMemory: Bool) throws -> [Int] {
    let request = NSFetchRequest<Item>(entityName: "Item")
    request.predicate = try NSPredicate.fetching(predicate)
    request.allowsEvaluationInMemory = inMemory
    return try context.fetch(request).map(\.number).sorted()
  }
}

/// Both kinds of stores.
struct FormWorlds {
  let worlds: [FormWorld]

  init() throws { worlds = try FormWorld.types.map { try FormWorld($0) } }

  /// Expects that a fetch finds what the same filter in plain Swift does.
  ///
  /// - Parameters:
  ///   - place: Whether a store carries it out as a whole.
  ///   - isTrivial: Whether it may find all items or none.
  ///   - plain: The same filter in plain Swift.
  func check(
    _ predicate: Predicate<Item>, _ place: FormWorld.Place = .store, isTrivial: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation, _ plain: (Item) -> Bool
  ) throws {
    for world in worlds {
      try world.context.performAndWait {
        let wanted = world.items.filter(plain).map(\.number)
        let found = try world.numbers(predicate, inMemory: place == .memory)
        #expect(found == wanted, sourceLocation: sourceLocation)
        let evaluated = try world.items.filter { try predicate.evaluate($0) }.map(\.number)
        #expect(evaluated == wanted, "evaluated", sourceLocation: sourceLocation)
        #expect(
          isTrivial || !wanted.isEmpty && wanted.count < world.items.count, "trivial",
          sourceLocation: sourceLocation)
        guard place == .memory else { return }
        #expect(throws: (any Error).self, sourceLocation: sourceLocation) {
          try world.numbers(predicate, inMemory: false)
        }
      }
    }
  }
}
