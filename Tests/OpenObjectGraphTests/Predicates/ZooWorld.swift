import Foundation
import OpenCoreData
import OpenPredicates

/// An object of the zoo as plain data, for the interpreter.
final class ZooNode {
  let entity: String
  let code: Int64
  var values: [String: Value] = [:]
  var destinations: [String: ZooNode] = [:]
  var members: [String: [ZooNode]] = [:]

  init(entity: String, code: Int64) {
    self.entity = entity
    self.code = code
    values["code"] = .int(code)
  }
}

/// Random values from small sets, so that predicates are often true.
enum ZooValues {
  static let texts = [
    "", "alpha", "Alpha", "ALPHABET", "Ünder", "under", "naïve", "Straße", "日本", "a%b_c*?", "12",
    "beta gamma", "αβγ", "ΑΒΓ", "[x]", "'; DROP", "e\u{301}te\u{301}", "👍🏽", "a\0b",
  ]

  static func random(
    _ kind: ZooKind, _ numbers: inout SeededNumbers
  ) -> Value {
    random(kind, .double, &numbers)
  }

  static func random(
    _ kind: ZooKind, _ type: NSAttributeDescription.AttributeType, _ numbers: inout SeededNumbers
  ) -> Value {
    let number = numbers.below(12) - 4
    switch kind {
    case .number:
      switch type {
      case .double, .float: return .double(Double(number) / 4)
      case .decimal: return .decimal(DecimalValue(Decimal(number) / 2))
      default: return .int(Int64(number))
      }
    case .flag: return .bool(number > 0)
    case .text: return .string(numbers.pick(texts))
    case .date: return .date(Double(number) * 86_400.5)
    case .uuid: return .uuid(uuid(number))
    case .uri: return .url(url(number))
    case .data: return .data(Data(repeating: UInt8(number + 4), count: 1 + (number + 4) % 3))
    }
  }

  private static func uuid(_ number: Int) -> UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number + 4)))
  }

  private static func url(_ number: Int) -> URL {
    URL(fileURLWithPath: "/zoo/\(number)", isDirectory: false)
  }
}

/// Random objects, as plain data and in a context for each store.
struct ZooWorld {
  struct Side {
    let name: String
    let context: NSManagedObjectContext
    /// Whether the objects are in the store.
    let isSaved: Bool
    var objects: [Int64: NSManagedObject] = [:]
  }

  private(set) var nodes: [ZooNode] = []
  private(set) var sides: [Side] = []

  /// A name, the type of a store, and whether the objects are saved.
  typealias Kind = (name: String, type: String, isSaved: Bool)

  static let localKinds: [Kind] = [
    ("SQLite", NSSQLiteStoreType, true), ("memory", NSInMemoryStoreType, true),
    ("unsaved", NSInMemoryStoreType, false),
  ]

  static let servedKinds: [Kind] = ServedStores.types.map { ("PostgreSQL", $0, true) }

  init(
    _ numbers: inout SeededNumbers, model: NSManagedObjectModel, kinds: [Kind]
  ) throws {
    makeNodes(&numbers)
    link(&numbers)
    for (name, type, isSaved) in kinds {
      let context = try ZooModel.container(type, model).newBackgroundContext()
      var side = Side(name: name, context: context, isSaved: isSaved)
      try context.performAndWait { try fill(&side) }
      sides.append(side)
    }
  }

  func nodes(of entity: String) -> [ZooNode] {
    nodes.filter { ZooModel.line(of: $0.entity).contains(entity) }
  }

  private mutating func makeNodes(_ numbers: inout SeededNumbers) {
    for code in 1...28 {
      let entity = numbers.pick(["Creature", "Creature", "Bird", "Place", "Visit"])
      let node = ZooNode(entity: entity, code: Int64(code))
      for attribute in ZooModel.line(of: entity).flatMap({ ZooModel.ownAttributes[$0] ?? [] })
      where attribute.name != "code" && numbers.below(4) != 0 {
        node.values[attribute.name] = ZooValues.random(attribute.kind, attribute.type, &numbers)
      }
      nodes.append(node)
    }
  }

  private func link(_ numbers: inout SeededNumbers) {
    for relationship in ZooModel.relationships {
      let targets = nodes(of: relationship.to)
      guard !targets.isEmpty else { continue }
      for node in nodes(of: relationship.owner) {
        let count = relationship.isToMany ? numbers.below(4) : numbers.below(4) == 0 ? 0 : 1
        for _ in 0..<count {
          let target = numbers.pick(targets)
          guard node.members[relationship.name]?.contains(where: { $0 === target }) != true else {
            continue
          }
          if relationship.isToMany {
            node.members[relationship.name, default: []].append(target)
          } else {
            node.destinations[relationship.name] = target
          }
          target.members[relationship.inverse, default: []].append(node)
        }
      }
    }
  }

  /// Creates the objects of a side, and saves them if the side is saved.
  private func fill(_ side: inout Side) throws {
    for node in nodes {
      let object = NSEntityDescription.insertNewObject(
        forEntityName: node.entity, into: side.context)
      side.objects[node.code] = object
      for (name, value) in node.values { try object.setCheckedValue(value.anyValue, forKey: name) }
    }
    for node in nodes {
      for (name, target) in node.destinations {
        try side.objects[node.code]?.setCheckedValue(side.objects[target.code], forKey: name)
      }
      if let friends = node.members["friends"] {
        let objects = friends.compactMap { side.objects[$0.code] }
        try side.objects[node.code]?.setCheckedValue(NSSet(array: objects), forKey: "friends")
      }
    }
    if side.isSaved { try side.context.save() }
  }
}
