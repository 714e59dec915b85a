import Foundation
import OpenCoreData
import Testing

/// Random edits, saves and merges of three contexts, compared with a plain model of what they should hold.
///
/// `OPENCOREDATA_HISTORIES` sets the number of histories, `OPENCOREDATA_HISTORY_SEED` the first seed; a failure
/// names its seed and step.
@Suite("Random histories")
struct RandomHistoryTests {
  @Test("three contexts hold what the reference model says", arguments: StoreTypes.both)
  func histories(type: String) throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["OPENCOREDATA_HISTORIES"].flatMap(Int.init) ?? 60
    let first = environment["OPENCOREDATA_HISTORY_SEED"].flatMap(UInt64.init) ?? 1
    for seed in first..<first + UInt64(count) {
      try RandomHistory(seed: seed, type: type).run(steps: 60)
    }
  }
}

/// One history: the contexts, the model, and what they know of each other.
private final class RandomHistory {
  private let seed: UInt64
  private let type: String
  private var numbers: SeededNumbers
  private var model = ReferenceModel()
  private var contexts: [ReferenceModel.Name: NSManagedObjectContext] = [:]
  private var nextCode = 0
  /// What was done so far, for the message of a failure.
  private var actions: [String] = []
  private static let fieldCount = 3

  init(seed: UInt64, type: String) throws {
    self.seed = seed
    self.type = type
    numbers = SeededNumbers(seed: seed)
    let container = try ShelfModel.container(type)
    let (a, c) = (container.newBackgroundContext(), container.newBackgroundContext())
    contexts = [.a: a, .b: a.makeChild(), .c: c]
    c.automaticallyMergesChangesFromParent = true
    for context in contexts.values {
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      context.retainsRegisteredObjects = true
    }
    try a.performAndWait { () throws in
      for code in 1...3 { ShelfAuthor(context: a).code = Int32(code) }
      try a.save()
    }
  }

  func run(steps: Int) throws {
    for step in 0..<steps {
      let name = numbers.pick(ReferenceModel.Name.allCases)
      actions.append("\(step) \(name): \(try act(in: name))")
      // What was put on C's queue is done when this returns.
      contexts[.c]?.performAndWait {}
      try compare(numbers.pick(ReferenceModel.Name.allCases))
    }
    for name in ReferenceModel.Name.allCases { try compare(name) }
  }

  private func act(in name: ReferenceModel.Name) throws -> String {
    guard let context = contexts[name] else { return "" }
    return try context.performAndWait { () throws in
      switch numbers.below(20) {
      case 0...3: return try insert(in: name, context)
      case 4...10: return try edit(in: name, context)
      case 11, 12: return try delete(in: name, context)
      case 13...16: return try save(name, context)
      case 17:
        context.rollback()
        model.rollback(name)
        return "rollback"
      case 18:
        context.reset()
        model.reset(name)
        return "reset"
      default:
        context.refreshAllObjects()
        model.refreshAll(name)
        return "refresh all"
      }
    }
  }

  // MARK: Actions

  private func insert(
    in name: ReferenceModel.Name, _ context: NSManagedObjectContext
  ) throws -> String {
    let fields = (0..<Self.fieldCount).map { _ in numbers.below(4) }
    let book = ShelfBook(context: context)
    book.code = Int32(nextCode)
    for (field, value) in fields.enumerated() { try set(field, value, of: book, context) }
    model.insert(nextCode, fields, in: name)
    nextCode += 1
    return "insert \(nextCode - 1) \(fields)"
  }

  private func edit(
    in name: ReferenceModel.Name, _ context: NSManagedObjectContext
  ) throws -> String {
    guard let (code, book) = try pick(in: name, context) else { return "nothing" }
    let (field, value) = (numbers.below(Self.fieldCount), numbers.below(4))
    // Setting a destination that is there already changes nothing.
    if model.view(name)[code]?[field] == value, field == 2 { return "nothing" }
    try set(field, value, of: book, context)
    model.edit(code, field, value, in: name)
    return "edit \(code) \(field) \(value)"
  }

  private func delete(
    in name: ReferenceModel.Name, _ context: NSManagedObjectContext
  ) throws -> String {
    guard let (code, book) = try pick(in: name, context) else { return "nothing" }
    context.delete(book)
    model.delete(code, in: name)
    return "delete \(code)"
  }

  private func save(
    _ name: ReferenceModel.Name, _ context: NSManagedObjectContext
  ) throws -> String {
    try context.save()
    if name == .b { model.saveChild() } else { model.save(name) }
    return "save"
  }

  private func pick(
    in name: ReferenceModel.Name, _ context: NSManagedObjectContext
  ) throws -> (Int, ShelfBook)? {
    let codes = model.view(name).keys.sorted()
    guard !codes.isEmpty else { return nil }
    let code = numbers.pick(codes)
    let book = try books(in: context).first { $0.code == code }
    return (code, try #require(book, "seed \(seed): \(name) has no book \(code)"))
  }

  private func set(
    _ field: Int, _ value: Int, of book: ShelfBook, _ context: NSManagedObjectContext
  ) throws {
    switch field {
    case 0: book.pages = Int64(value)
    case 1: book.title = value == 0 ? nil : "title \(value)"
    default: book.author = try authors(in: context).first { $0.code == value }
    }
  }

  // MARK: Reading

  private func books(in context: NSManagedObjectContext) throws -> [ShelfBook] {
    let request = NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
    request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
    return try context.fetch(request)
  }

  private func authors(in context: NSManagedObjectContext) throws -> [ShelfAuthor] {
    try context.fetch(NSFetchRequest<ShelfAuthor>(entityName: "ShelfAuthor"))
  }

  private func compare(_ name: ReferenceModel.Name) throws {
    actions.append("look at \(name)")
    let place = "seed \(seed), \(type): \(actions.joined(separator: "; "))"
    guard let context = contexts[name] else { return }
    try context.performAndWait { () throws in
      let expected = model.view(name)
      var actual: [Int: [Int]] = [:]
      for book in try books(in: context) {
        let title = book.title.flatMap { $0.last?.wholeNumberValue } ?? 0
        actual[Int(book.code)] = [Int(book.pages), title, Int(book.author?.code ?? 0)]
      }
      try #require(actual == expected, "\(place)")
      if name == .c { try compareLists(expected, context, place) }
    }
  }

  /// A context that merges everything has lists that agree with the other side.
  private func compareLists(
    _ expected: [Int: [Int]], _ context: NSManagedObjectContext, _ place: String
  ) throws {
    for author in try authors(in: context) {
      let codes = (author.books?.allObjects ?? []).compactMap { ($0 as? ShelfBook)?.code }
      let wanted = expected.filter { $0.value[2] == Int(author.code) }.keys.sorted()
      try #require(
        codes.map(Int.init).sorted() == wanted,
        "books of author \(author.code), \(place)")
    }
  }
}
