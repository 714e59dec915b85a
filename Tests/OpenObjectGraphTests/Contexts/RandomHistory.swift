import Foundation
import OpenCoreData
import OpenObjectGraph
import OpenPostgresStore
import OpenTestSupport
import Testing

/// One history: the contexts, the reference model, and the relation between them.
///
/// Books with an even code are in the first store, the others in the second; so are their authors. Calls of both
/// stores can fail.
final class RandomHistory {
  let seed: UInt64
  private let kind: StoreKind
  var numbers: SeededNumbers
  var model: ReferenceModel
  private(set) var contexts: [ReferenceModel.Name: NSManagedObjectContext] = [:]
  var nextCode = 0
  /// The actions so far, for failure messages.
  var actions: [String] = []
  static let fieldCount = 3
  static let authorCount = 3

  /// A kind of store whose calls can fail, for any number of histories, one after the other.
  struct StoreKind {
    let type: String
    /// The failures of the first and the second store.
    let faults = [FaultInjection(), FaultInjection()]
    private let names: [String]

    init(_ type: String) throws {
      self.type = type
      PostgresStore.register()
      names = try faults.map { try FaultInjectingStore.register(type, faults: $0) }
    }

    /// Opens two empty stores, in files of a folder or in memory.
    fileprivate func container(in folder: URL?) throws -> NSPersistentContainer {
      let descriptions = try names.enumerated().map { number, name in
        let description = NSPersistentStoreDescription(type: name)
        if let folder {
          description.url = folder.appendingPathComponent("\(number).sqlite")
          description.setValue("OFF" as NSString, forPragmaNamed: "synchronous")
        }
        try ServedStores.place(description, ofType: type)
        return description
      }
      return try .loaded("Shelf", ShelfModel.make(), descriptions)
    }
  }

  /// Creates a history.
  ///
  /// - Parameters:
  ///   - seed: Determines the actions and the locations of the stores.
  ///   - kind: The stores.
  ///   - folder: The folder for files; only stores in files support pinned generations.
  init(seed: UInt64, kind: StoreKind, folder: URL) throws {
    self.seed = seed
    self.kind = kind
    numbers = SeededNumbers(seed: seed)
    let isFile = kind.type == NSSQLiteStoreType && seed % 4 == 0
    let isServed = ServedStores.types.contains(kind.type)
    model = ReferenceModel(pins: isFile || isServed)
    for faults in kind.faults { faults.stop() }
    let container = try kind.container(in: isFile ? folder : nil)
    let (a, c) = (container.newBackgroundContext(), container.newBackgroundContext())
    contexts = [.a: a, .b: a.makeChild(), .c: c, .d: container.newBackgroundContext()]
    c.automaticallyMergesChangesFromParent = true
    for name in ReferenceModel.undoing {
      let manager = UndoManager()
      manager.groupsByEvent = true
      contexts[name]?.undoManager = manager
    }
    for context in contexts.values {
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      context.retainsRegisteredObjects = true
    }
    try a.performAndWait { () throws in
      for code in 1...Self.authorCount * 2 {
        let author = ShelfAuthor(context: a)
        author.code = Int32(code)
        try assign(author, code <= Self.authorCount ? 0 : 1)
      }
      try a.save()
      a.undoManager?.removeAllActions()
    }
  }

  /// The number of a book's store.
  static func store(of code: Int) -> Int { code % 2 }

  /// The code of the author that the value of a book's third field identifies; 0 for none.
  static func author(_ value: Int, of code: Int) -> Int {
    value == 0 ? 0 : value + authorCount * store(of: code)
  }

  /// The failures of a store.
  func faults(_ store: Int) -> FaultInjection { kind.faults[store] }

  func assign(_ object: NSManagedObject, _ number: Int) throws {
    let context = try #require(object.managedObjectContext)
    let stores = try #require(context.persistentStoreCoordinator).persistentStores
    context.assign(object, to: stores[number])
  }

  func run(steps: Int) throws {
    for step in 0..<steps {
      let name = numbers.pick(ReferenceModel.Name.allCases)
      actions.append("\(step) \(name): ")
      actions[actions.count - 1] += try act(in: name)
      // All work enqueued on C's queue is complete when this call returns.
      contexts[.c]?.performAndWait {}
      try checkInvariants()
      try compare(numbers.pick(ReferenceModel.Name.allCases))
      try checkInvariants()
    }
    for name in ReferenceModel.Name.allCases { try compare(name) }
  }

  /// Checks that the parts of every context are consistent.
  private func checkInvariants() throws {
    for (name, context) in contexts {
      let violations = context.performAndWait { context.checkInvariants() }
      try #require(
        violations.isEmpty, "\(name): \(violations), seed \(seed), \(kind.type): \(actions)")
    }
  }

  // MARK: Reading

  func books(in context: NSManagedObjectContext) throws -> [ShelfBook] {
    let request = NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
    request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
    return try context.fetch(request)
  }

  func authors(in context: NSManagedObjectContext) throws -> [ShelfAuthor] {
    try context.fetch(NSFetchRequest<ShelfAuthor>(entityName: "ShelfAuthor"))
  }

  private func compare(_ name: ReferenceModel.Name) throws {
    actions.append("look at \(name)")
    let place = "seed \(seed), \(kind.type): \(actions.joined(separator: "; "))"
    guard let context = contexts[name] else { return }
    try context.performAndWait { () throws in
      let expected = model.view(name)
      var actual: [Int: [Int]] = [:]
      for book in try books(in: context) {
        let title = book.title.flatMap { $0.last?.wholeNumberValue } ?? 0
        let code = Int(book.code)
        let author = (0...Self.authorCount).first {
          Self.author($0, of: code) == Int(book.author?.code ?? 0)
        }
        actual[code] = [Int(book.pages), title, author ?? -1]
      }
      try #require(actual == expected, "\(place)")
      if let manager = context.undoManager {
        try #require(manager.undoCount == model.done(name).count, "steps, \(place)")
        try #require(manager.redoCount == model.undone(name).count, "undone steps, \(place)")
      }
      if name == .c { try compareLists(expected, context, place) }
    }
  }

  /// Checks that the lists of a context that merges everything agree with their inverses.
  private func compareLists(
    _ expected: [Int: [Int]], _ context: NSManagedObjectContext, _ place: String
  ) throws {
    for author in try authors(in: context) {
      let codes = (author.books?.allObjects ?? []).compactMap { ($0 as? ShelfBook)?.code }
      let wanted = expected.filter {
        Self.author($0.value[2], of: $0.key) == Int(author.code)
      }.keys.sorted()
      try #require(
        codes.map(Int.init).sorted() == wanted,
        "books of author \(author.code), \(place)")
    }
  }
}
