import Foundation
import OpenCoreData
import Testing

/// Random edits and saves of three contexts over one store, of which the first merges every save of the others.
///
/// The second is of the same coordinator and the third of another one; neither is told of anything. After each save
/// the store is read anew: every reference leads to a row, both sides agree, and the merging context, whenever it has
/// no unsaved changes, says the same as the store.
final class LinkHistory {
  private let seed: UInt64
  private let policy: NSMergePolicy
  private let stack: LinkStack
  private let contexts: [NSManagedObjectContext]
  private let checker: NSManagedObjectContext
  private var numbers: SeededNumbers
  private var actions: [String] = []
  private var nextCode = 10
  private var stored: LinkState?

  static let policies: [NSMergePolicy] = [
    .error, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
  ]

  init(seed: UInt64, type: String) throws {
    self.seed = seed
    numbers = SeededNumbers(seed: seed)
    policy = Self.policies[Int(seed % UInt64(Self.policies.count))]
    stack = try LinkStack(type)
    contexts = [
      stack.context(policy), stack.context(policy), try stack.foreignContext(policy),
    ]
    contexts[0].automaticallyMergesChangesFromParent = true
    for context in contexts { context.retainsRegisteredObjects = true }
    checker = try stack.foreignContext()
    let first = contexts[1]
    try first.performAndWait { () throws in
      for code in 0..<3 { first.link("LinkOwner", code) }
      for code in 3..<9 { first.link(code < 7 ? "LinkItem" : "LinkSpecial", code) }
      try first.save()
    }
  }

  private var place: String {
    "seed \(seed), \(stack.type), policy \(policy.mergeType): \(actions.joined(separator: "; "))"
  }

  func run(steps: Int) throws {
    for _ in 0..<steps {
      let number = numbers.below(contexts.count)
      let context = contexts[number]
      let notification = try context.performAndWait { () throws in
        actions.append("abc".map(String.init)[number] + ": ")
        return try act(number, context)
      }
      contexts[0].performAndWait {
        if let notification, number == 2 {
          contexts[0].mergeChanges(fromContextDidSave: notification)
        }
      }
      try check()
    }
  }

  // MARK: Actions

  private func note(_ action: String) { actions[actions.count - 1] += action }

  private func act(_ number: Int, _ context: NSManagedObjectContext) throws -> Notification? {
    switch numbers.below(20) {
    case 0: insert(context)
    case 1: try delete(context)
    case 2...9: try setOne(context)
    case 10...13: try setMany(context)
    case 14: context.processPendingChanges()
    case 15 where numbers.below(3) == 0:
      note("rollback")
      context.rollback()
    default: return try save(context)
    }
    return nil
  }

  private func insert(_ context: NSManagedObjectContext) {
    let entity = numbers.pick(["LinkOwner", "LinkItem", "LinkSpecial"])
    note("insert \(entity) \(nextCode)")
    context.link(entity, nextCode)
    nextCode += 1
  }

  private func pick(_ entity: String, _ context: NSManagedObjectContext) throws -> NSManagedObject?
  {
    let objects = try context.links(entity)
    return objects.isEmpty ? nil : numbers.pick(objects)
  }

  private func delete(_ context: NSManagedObjectContext) throws {
    let entity = numbers.pick(["LinkOwner", "LinkItem", "LinkItem"])
    guard let object = try pick(entity, context) else { return }
    note("delete \(object.linkCode)")
    context.delete(object)
  }

  private func destinationEntity(_ name: String) -> String {
    ["owner", "host", "bearer", "tagged", "picked"].contains(name) ? "LinkOwner" : "LinkItem"
  }

  private func setOne(_ context: NSManagedObjectContext) throws {
    let entity = numbers.pick(["LinkOwner", "LinkItem"])
    let name = numbers.pick(LinkModel.toOne[entity] ?? [])
    guard let source = try pick(entity, context) else { return }
    let destination = numbers.below(4) == 0 ? nil : try pick(destinationEntity(name), context)
    if numbers.below(5) == 0 { source.setValue("\(nextCode)", forKey: "text") }
    note("\(source.linkCode).\(name) = \(destination.map { "\($0.linkCode)" } ?? "nil")")
    source.setValue(destination, forKey: name)
  }

  private func setMany(_ context: NSManagedObjectContext) throws {
    let entity = numbers.pick(["LinkOwner", "LinkOwner", "LinkItem"])
    let name = numbers.pick(LinkModel.toMany[entity] ?? [])
    guard let source = try pick(entity, context) else { return }
    var objects: [NSManagedObject] = []
    for _ in 0..<numbers.below(4) {
      guard let object = try pick(destinationEntity(name), context) else { continue }
      if !objects.contains(object) { objects.append(object) }
    }
    if numbers.below(2) == 0, let object = objects.first {
      note("\(source.linkCode).\(name) + \(object.linkCode)")
      source.__addMember(object, name)
    } else {
      note("\(source.linkCode).\(name) = \(objects.map(\.linkCode))")
      source.setLinkedMembers(name, objects)
    }
  }

  private func save(_ context: NSManagedObjectContext) throws -> Notification? {
    let collector = NotificationCollector(.NSManagedObjectContextDidSave, of: context)
    note("save")
    do {
      try context.save()
    } catch let error as CocoaError {
      note(" fails with \(error.code.rawValue)")
      let isConflict = error.code == .managedObjectMerge && policy === NSMergePolicy.error
      let codes = [NSManagedObjectValidationError, NSValidationMultipleErrorsError]
      try #require(isConflict || codes.contains(error.code.rawValue), "\(error), \(place)")
      context.rollback()
      // What is stale now would be in the way for ever.
      if context !== contexts[0] { context.reset() }
    }
    return collector.all.last
  }

  // MARK: Checks

  private func check() throws {
    let state = try checker.performAndWait { () throws in
      checker.reset()
      return try LinkState(of: checker)
    }
    let faults = state.faults(since: stored)
    try #require(faults.isEmpty, "\(faults), \(place)")
    stored = state
    let merging = contexts[0]
    try merging.performAndWait { () throws in
      merging.processPendingChanges()
      guard !merging.hasChanges else { return }
      let differences = try LinkState(of: merging).differences(from: state)
      try #require(differences.isEmpty, "\(differences), \(place)")
    }
  }
}
