import Foundation
import OpenSwiftData
import Testing

/// Items with and without each value in a store, some of them unsaved, to compare fetches with plain Swift.
final class FormWorld {
  /// The place where a form is evaluated.
  enum Place { case store, memory }

  /// The location of the items.
  enum StoreKind: CaseIterable { case file, memory }

  let context: ModelContext
  private let folder: StoreFolder
  private(set) var items: [Item] = []

  init(_ kind: StoreKind, seed: UInt64 = 27) throws {
    folder = try StoreFolder()
    let configuration =
      switch kind {
      case .file: ModelConfiguration(url: folder.file())
      case .memory: ModelConfiguration(isStoredInMemoryOnly: true)
      }
    context = ModelContext(try ModelContainer(for: Item.self, configurations: configuration))
    try fill(seed)
  }

  /// Fifty items that are saved, six of which have unsaved changes, and six that are not saved.
  private func fill(_ seed: UInt64) throws {
    var values = FormValues(seed: seed)
    let makers = [
      Maker("Ann", founded: 1900, country: "de"), Maker(nil, founded: 1950, country: "fr"),
      Maker("bob", founded: 2000, country: "de"), Maker("Ann", founded: 1950, country: "at"),
    ]
    for maker in makers { context.insert(maker) }
    var partCount = 0
    for number in 0..<56 {
      if number == 50 { try context.save() }
      let item = Item(number: number)
      context.insert(item)
      values.fill(item)
      item.maker = values.optional { $0.element(makers) }
      for _ in 0..<values.next(4) {
        let part = Part(number: partCount)
        values.fill(part)
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
    var descriptor = FetchDescriptor(predicate: predicate)
    descriptor.allowsEvaluationInMemory = inMemory
    return try context.fetch(descriptor).map(\.number).sorted()
  }
}

/// Both kinds of stores.
struct FormWorlds {
  let worlds: [FormWorld]

  init() throws { worlds = try FormWorld.StoreKind.allCases.map { try FormWorld($0) } }

  /// Expects that a fetch finds the same items as the filter in Swift.
  ///
  /// - Parameters:
  ///   - place: Whether a store evaluates the whole form.
  ///   - isTrivial: Whether the form can find all items or none.
  ///   - plain: The same filter in Swift.
  func check(
    _ predicate: Predicate<Item>, _ place: FormWorld.Place = .store, isTrivial: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation, _ plain: (Item) -> Bool
  ) throws {
    for world in worlds {
      let wanted = world.items.filter(plain).map(\.number)
      let found = try world.numbers(predicate, inMemory: place == .memory)
      #expect(found == wanted, sourceLocation: sourceLocation)
      let evaluated = try world.items.filter { try predicate.evaluate($0) }.map(\.number)
      #expect(evaluated == wanted, "evaluated", sourceLocation: sourceLocation)
      #expect(
        isTrivial || !wanted.isEmpty && wanted.count < world.items.count, "trivial",
        sourceLocation: sourceLocation)
      if place == .memory {
        #expect(throws: (any Error).self, sourceLocation: sourceLocation) {
          try world.numbers(predicate, inMemory: false)
        }
      }
    }
  }
}
