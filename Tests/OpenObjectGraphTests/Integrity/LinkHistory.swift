import Foundation
import OpenCoreData

/// Edits and saves of three contexts over one store. The first context merges every save of the others.
///
/// The second context has the same coordinator and the third has another one; neither merges.
/// After each step, the store
/// is reread: every reference leads to a row, both sides agree, and the merging context, if it has
/// no unsaved changes,
/// agrees with the store. Initially, there are owners 0 to 2, items 3 to 6, special items 7 and 8.
final class LinkHistory {
  /// An inconsistency that a history causes.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let policy: NSMergePolicy
  private let stack: LinkStack
  private let contexts: [NSManagedObjectContext]
  private let checker: NSManagedObjectContext
  private var stored: LinkState?

  static let contextCount = 3
  static let policies: [NSMergePolicy] = [
    .error, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
  ]

  init(_ policy: NSMergePolicy, type: String) throws {
    self.policy = policy
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

  /// Takes steps in the notation of ``LinkStep``.
  ///
  /// - Throws: ``Failure``, or what a step throws.
  static func run(_ steps: String, _ policy: NSMergePolicy, type: String) throws {
    guard let steps = LinkStep.steps(steps) else { throw Failure(description: "no steps") }
    try run(steps, policy, type: type)
  }

  static func run(_ steps: [LinkStep], _ policy: NSMergePolicy, type: String) throws {
    let history = try LinkHistory(policy, type: type)
    for step in steps { try history.take(step) }
  }

  /// Takes random steps until one fails.
  ///
  /// - Returns: The steps, the last of which failed; nil if no step failed.
  static func failure(
    of numbers: inout RandomLinks, steps count: Int, _ policy: NSMergePolicy, type: String
  ) throws -> [LinkStep]? {
    let history = try LinkHistory(policy, type: type)
    var steps: [LinkStep] = []
    for _ in 0..<count {
      let number = numbers.context()
      let context = history.contexts[number]
      guard let action = try context.performAndWait({ try numbers.action(in: context) }) else {
        continue
      }
      steps.append(LinkStep(context: number, action))
      do { try history.take(steps[steps.count - 1]) } catch { return steps }
    }
    return nil
  }

  // MARK: Steps

  private func take(_ step: LinkStep) throws {
    let context = contexts[step.context]
    let notification = try context.performAndWait { () throws in
      try act(step.action, context)
    }
    contexts[0].performAndWait {
      if let notification, step.context == 2 {
        contexts[0].mergeChanges(fromContextDidSave: notification)
      }
    }
    try check()
  }

  private func act(
    _ action: LinkStep.Action, _ context: NSManagedObjectContext
  ) throws -> Notification? {
    switch action {
    case .insert(let entity, let code): context.link(entity, code)
    case .delete(let entity, let code):
      if let object = try find(code, entity, context) { context.delete(object) }
    case .setOne(let source, let name, let destination, let text):
      try setOne(source, name, destination, text, context)
    case .add(let source, let name, let member):
      let object = try find(source, LinkModel.sourceEntity(name), context)
      let member = try find(member, LinkModel.destinationEntity(name), context)
      if let object, let member { object.__addMember(member, name) }
    case .setMany(let source, let name, let members):
      let object = try find(source, LinkModel.sourceEntity(name), context)
      let members = try members.compactMap {
        try find($0, LinkModel.destinationEntity(name), context)
      }
      object?.setLinkedMembers(name, members)
    case .process: context.processPendingChanges()
    case .rollback: context.rollback()
    case .save: return try save(context)
    }
    return nil
  }

  private func find(
    _ code: Int, _ entity: String, _ context: NSManagedObjectContext
  ) throws -> NSManagedObject? {
    try context.links(entity).first { $0.linkCode == code }
  }

  private func setOne(
    _ source: Int, _ name: String, _ destination: Int?, _ text: Int?,
    _ context: NSManagedObjectContext
  ) throws {
    guard let object = try find(source, LinkModel.sourceEntity(name), context) else { return }
    let destination = try destination.flatMap {
      try find($0, LinkModel.destinationEntity(name), context)
    }
    if let text { object.setValue("\(text)", forKey: "text") }
    object.setValue(destination, forKey: name)
  }

  private func save(_ context: NSManagedObjectContext) throws -> Notification? {
    let collector = NotificationCollector(.NSManagedObjectContextDidSave, of: context)
    do {
      try context.save()
    } catch let error as CocoaError {
      let isConflict = error.code == .managedObjectMerge && policy === NSMergePolicy.error
      let codes = [NSManagedObjectValidationError, NSValidationMultipleErrorsError]
      guard isConflict || codes.contains(error.code.rawValue) else {
        throw Failure(description: "\(error)")
      }
      context.rollback()
      // Stale values would block all later steps.
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
    guard faults.isEmpty else { throw Failure(description: "\(faults)") }
    stored = state
    let merging = contexts[0]
    try merging.performAndWait { () throws in
      merging.processPendingChanges()
      guard !merging.hasChanges else { return }
      let differences = try LinkState(of: merging).differences(from: state)
      guard differences.isEmpty else { throw Failure(description: "\(differences)") }
    }
  }
}
