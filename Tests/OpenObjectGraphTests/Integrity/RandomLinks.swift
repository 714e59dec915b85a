import OpenCoreData

/// Random steps of a history, determined by a seed and the existing objects.
struct RandomLinks {
  private var numbers: SeededNumbers
  private var nextCode = 10

  init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }

  /// Chooses the context of the next step.
  mutating func context() -> Int { numbers.below(LinkHistory.contextCount) }

  /// Chooses the action of a context; nil for no action.
  mutating func action(in context: NSManagedObjectContext) throws -> LinkStep.Action? {
    switch numbers.below(20) {
    case 0: insertion()
    case 1: try deletion(context)
    case 2...9: try setting(context)
    case 10...13: try memberSetting(context)
    case 14: .process
    case 15 where numbers.below(3) == 0: .rollback
    default: .save
    }
  }

  private mutating func insertion() -> LinkStep.Action {
    defer { nextCode += 1 }
    return .insert(
      entity: numbers.pick(["LinkOwner", "LinkItem", "LinkSpecial"]), code: nextCode)
  }

  private mutating func pick(_ entity: String, _ context: NSManagedObjectContext) throws -> Int? {
    let objects = try context.links(entity)
    return objects.isEmpty ? nil : numbers.pick(objects).linkCode
  }

  private mutating func deletion(_ context: NSManagedObjectContext) throws -> LinkStep.Action? {
    let entity = numbers.pick(["LinkOwner", "LinkItem", "LinkItem"])
    return try pick(entity, context).map { .delete(entity: entity, code: $0) }
  }

  private mutating func setting(_ context: NSManagedObjectContext) throws -> LinkStep.Action? {
    let entity = numbers.pick(["LinkOwner", "LinkItem"])
    let name = numbers.pick(LinkModel.toOne[entity] ?? [])
    guard let source = try pick(entity, context) else { return nil }
    let destination =
      numbers.below(4) == 0 ? nil : try pick(LinkModel.destinationEntity(name), context)
    let text = numbers.below(5) == 0 ? nextCode : nil
    return .setOne(source: source, name: name, destination: destination, text: text)
  }

  private mutating func memberSetting(_ context: NSManagedObjectContext) throws -> LinkStep.Action?
  {
    let entity = numbers.pick(["LinkOwner", "LinkOwner", "LinkItem"])
    let name = numbers.pick(LinkModel.toMany[entity] ?? [])
    guard let source = try pick(entity, context) else { return nil }
    var members: [Int] = []
    for _ in 0..<numbers.below(4) {
      guard let member = try pick(LinkModel.destinationEntity(name), context) else { continue }
      if !members.contains(member) { members.append(member) }
    }
    if numbers.below(2) == 0, let member = members.first {
      return .add(source: source, name: name, member: member)
    }
    return .setMany(source: source, name: name, members: members)
  }
}
