import Foundation
import OpenCoreData
import Testing

/// Random edits in groups, undone and redone, with the whole graph compared at each boundary.
@Suite("Undo of random edits")
struct RandomUndoTests {
  /// The later seeds once found errors.
  static let seeds: [UInt64] = Array(1...12) + [102, 137, 293, 302, 587]
  static let runs = UndoModel.stores.flatMap { type in seeds.map { (type, $0) } }

  @Test("undo returns through every boundary, and redo goes forward again", arguments: runs)
  func walk(_ type: String, _ seed: UInt64) throws {
    print("random undo: \(type), seed \(seed)")
    let (context, manager) = try UndoModel.undoingContext(type)
    try context.performAndWait {
      var walk = RandomWalk(context: context, manager: manager, seed: seed)
      for _ in 0..<25 { try walk.makeStep() }
      try walk.undoAll()
      try walk.redoAll()
      for _ in 0..<30 { try walk.wander() }
      try walk.compareWithStore()
    }
  }
}

/// A context whose steps are known by the graph at their boundaries.
private struct RandomWalk {
  let context: NSManagedObjectContext
  let manager: UndoManager
  var numbers: SeededNumbers
  let saves: Bool
  /// The graphs before the first step and after each; nil for those that a fetch after a deletion closed on its own.
  var graphs: [[String]?] = [[]]
  var position = 0
  private var lastCode = 0

  init(context: NSManagedObjectContext, manager: UndoManager, seed: UInt64) {
    self.context = context
    self.manager = manager
    numbers = SeededNumbers(seed: seed)
    saves = seed % 3 != 0
  }

  // MARK: Steps

  mutating func makeStep() throws {
    let isExplicit = numbers.below(3) == 0
    if isExplicit { manager.beginUndoGrouping() }
    for _ in 0...numbers.below(6) {
      try edit()
      if isExplicit, numbers.below(3) == 0 { context.processPendingChanges() }
    }
    if isExplicit { manager.endUndoGrouping() }
    context.processPendingChanges()
    try check()
    if manager.undoCount > position {
      while manager.undoCount > position + 1 { addBoundary(nil) }
      addBoundary(try context.graph())
    }
    try compareGraph("a step")
    try saveSometimes()
  }

  private mutating func addBoundary(_ graph: [String]?) {
    position += 1
    graphs.append(graph)
  }

  private func compareGraph(_ action: String) throws {
    guard let expected = graphs[position] else { return }
    let found = try context.graph()
    #expect(
      found.filter { !expected.contains($0) } == [], "too much after \(action), at \(position)")
    #expect(
      expected.filter { !found.contains($0) } == [], "missing after \(action), at \(position)")
  }

  mutating func undoAll() throws {
    while position > 0 { try undo() }
    manager.undo()
    #expect(try context.graph().isEmpty)
    if !saves { #expect(!context.hasChanges) }
  }

  mutating func redoAll() throws {
    while position < graphs.count - 1 { try redo() }
    #expect(!manager.canRedo)
  }

  mutating func wander() throws {
    if numbers.below(2) == 0, position > 0 {
      try undo()
    } else if position < graphs.count - 1 {
      try redo()
    }
  }

  private mutating func undo() throws {
    manager.undo()
    position -= 1
    try compare("undo")
  }

  private mutating func redo() throws {
    manager.redo()
    position += 1
    try compare("redo")
  }

  private mutating func compare(_ action: String) throws {
    try compareGraph(action)
    #expect(manager.undoCount == position)
    #expect(manager.redoCount == graphs.count - 1 - position)
    try check()
    try saveSometimes()
  }

  private mutating func saveSometimes() throws {
    guard saves, numbers.below(3) == 0 else { return }
    try context.save()
    if numbers.below(2) == 0 { context.refreshAllObjects() }
    try compareGraph("a save")
  }

  /// Checks that the store after a save contains the context's objects.
  mutating func compareWithStore() throws {
    while graphs[position] == nil { try undo() }
    try context.save()
    let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    reader.persistentStoreCoordinator = context.persistentStoreCoordinator
    try reader.performAndWait { () throws in
      #expect(try reader.graph() == graphs[position], "in the store")
    }
  }

  /// Checks that both sides of each relationship agree, without duplicates.
  private func check() throws {
    for entity in ["Node", "Tag", "Item"] {
      for object in try all(entity) {
        for (name, relationship) in object.entity.relationshipsByName {
          guard let inverse = relationship.inverseRelationship?.name else { continue }
          for other in object.related(name) {
            #expect(other.related(inverse).contains { $0 === object }, "\(name) of \(entity)")
            #expect(!other.isDeleted && other.managedObjectContext === context)
          }
        }
      }
    }
  }

  // MARK: Edits

  private func all(_ entity: String) throws -> [NSManagedObject] {
    try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
      .sorted { ($0.value(forKey: "code") as? Int ?? 0) < ($1.value(forKey: "code") as? Int ?? 0) }
  }

  private mutating func one(_ entity: String) throws -> NSManagedObject? {
    let objects = try all(entity)
    return objects.isEmpty ? nil : objects[numbers.below(objects.count)]
  }

  private mutating func edit() throws {
    let kind = numbers.below(16)
    if kind < 4 { return try insert() }
    guard let node = try one("Node") else { return try insert() }
    switch kind {
    case 4: node.setValue(numbers.pick([nil, "x", "y", "z"]), forKey: "name")
    case 5: node.setValue(numbers.below(4), forKey: "number")
    case 6: node.setValue([numbers.below(4)], forKey: "blob")
    case 7: try adopt(node)
    case 8: node.setValue(try one("Node"), forKey: "mentor")
    case 9: node.setValue(nil, forKey: numbers.pick(["mentor", "pupil", "parent"]))
    case 10: try toggleTag(of: node)
    case 11: try setItems(of: node)
    case 12: try one("Item")?.setValue(numbers.below(3) == 0 ? nil : node, forKey: "owner")
    case 13: try delete(numbers.pick(["Tag", "Item"]))
    case 14: context.delete(node)
    default: try one("Tag")?.setValue(numbers.pick(["p", "q"]), forKey: "name")
    }
  }

  private mutating func insert() throws {
    lastCode += 1
    let entity = numbers.pick(["Node", "Node", "Tag", "Item"])
    let object = UndoModel.insert(entity, "new", code: lastCode, in: context)
    if entity == "Node", numbers.below(2) == 0 { try adopt(object) }
    if numbers.below(12) == 0 { context.delete(object) }
  }

  /// Sets a node's parent to a node that is not its descendant.
  private mutating func adopt(_ node: NSManagedObject) throws {
    guard let parent = try one("Node") else { return }
    var ancestor: NSManagedObject? = parent
    while let current = ancestor {
      if current === node { return }
      ancestor = current.value(forKey: "parent") as? NSManagedObject
    }
    node.setValue(parent, forKey: "parent")
  }

  private mutating func toggleTag(of node: NSManagedObject) throws {
    guard let tag = try one("Tag") else { return }
    switch numbers.below(4) {
    case 0: node.__addMember(tag, "tags")
    case 1: if node.related("tags").contains(tag) { node.__removeMember(tag, "tags") }
    case 2: tag.__addMember(node, "nodes")
    default: node.setValue(NSSet(array: Array(try all("Tag").prefix(2))), forKey: "tags")
    }
  }

  private mutating func setItems(of node: NSManagedObject) throws {
    let items = try all("Item").filter { _ in numbers.below(2) == 0 }.shuffled(using: &numbers)
    node.setValue(NSOrderedSet(array: items), forKey: "items")
  }

  private mutating func delete(_ entity: String) throws {
    if let object = try one(entity) { context.delete(object) }
  }
}
