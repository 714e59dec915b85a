import Foundation
import OpenCoreData
import Testing

/// One history: the contexts, the model, and what they know of each other.
final class RandomHistory {
  let seed: UInt64
  private let type: String
  var numbers: SeededNumbers
  var model = ReferenceModel()
  private(set) var contexts: [ReferenceModel.Name: NSManagedObjectContext] = [:]
  var nextCode = 0
  /// What was done so far, for the message of a failure.
  var actions: [String] = []
  static let fieldCount = 3

  init(seed: UInt64, type: String) throws {
    self.seed = seed
    self.type = type
    numbers = SeededNumbers(seed: seed)
    let container = try ShelfModel.container(type)
    let (a, c) = (container.newBackgroundContext(), container.newBackgroundContext())
    contexts = [.a: a, .b: a.makeChild(), .c: c]
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
      for code in 1...3 { ShelfAuthor(context: a).code = Int32(code) }
      try a.save()
      a.undoManager?.removeAllActions()
    }
  }

  func run(steps: Int) throws {
    for step in 0..<steps {
      let name = numbers.pick(ReferenceModel.Name.allCases)
      actions.append("\(step) \(name): ")
      actions[actions.count - 1] += try act(in: name)
      // What was put on C's queue is done when this returns.
      contexts[.c]?.performAndWait {}
      try compare(numbers.pick(ReferenceModel.Name.allCases))
    }
    for name in ReferenceModel.Name.allCases { try compare(name) }
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
      if let manager = context.undoManager {
        try #require(manager.undoCount == model.done(name).count, "steps, \(place)")
        try #require(manager.redoCount == model.undone(name).count, "undone steps, \(place)")
      }
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
