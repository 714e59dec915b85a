import Foundation
import OpenCoreData
import OpenPredicates
import Testing

/// Random predicates on random objects: both stores, unsaved objects, evaluation in memory by a fetch, followed results, an
/// interpreter of the rules of SQL, and plain evaluation with its own rules agree. PostgreSQL stores are checked on their own.
///
/// `OPENCOREDATA_DIFFERENTIAL` is the number of predicates, unless it is given 2,000, or 300 for PostgreSQL; a failure names a seed, and
/// `OPENCOREDATA_DIFFERENTIAL_SEED` runs the hundred predicates of that seed alone.
@Suite("Random predicates")
struct PredicateDifferentialTests {
  private static let predicatesPerSeed = 100

  /// The seeds of a number of predicates, unless the environment determines the seeds.
  private static func seeds(ofPredicates count: UInt64) -> [UInt64] {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["OPENCOREDATA_DIFFERENTIAL_SEED"].flatMap(UInt64.init) {
      return [seed]
    }
    let count = environment["OPENCOREDATA_DIFFERENTIAL"].flatMap(UInt64.init) ?? count
    return Array(1...max(1, count / UInt64(predicatesPerSeed)))
  }

  @Test("stores, interpreter and plain evaluation find the same objects")
  func agreement() throws {
    try Self.check(Self.seeds(ofPredicates: 2000), ZooWorld.localKinds)
  }

  @Test(
    "a PostgreSQL store and the interpreter find the same objects",
    .enabled(if: !ServedStores.types.isEmpty))
  func servedAgreement() throws {
    try Self.check(Self.seeds(ofPredicates: 300), ZooWorld.servedKinds)
  }

  private static func check(_ seeds: [UInt64], _ kinds: [ZooWorld.Kind]) throws {
    let model = ZooModel.make()
    var failures = 0
    for seed in seeds where failures < 12 {
      var numbers = SeededNumbers(seed: seed)
      let world = try ZooWorld(&numbers, model: model, kinds: kinds)
      for index in 0..<predicatesPerSeed {
        let query = ZooQuery(&numbers, world)
        guard let problem = Self.problem(of: query, in: world) else { continue }
        failures += 1
        Issue.record("seed \(seed), predicate \(index): \(query)\n\(problem)")
        if failures >= 12 { break }
      }
    }
  }

  /// Returns the differences, or nil if all results agree.
  private static func problem(of query: ZooQuery, in world: ZooWorld) -> String? {
    do {
      let nodes = world.nodes(of: query.entity)
      var expected: [ZooInterpreter.Rules: [Int64]] = [:]
      for side in world.sides {
        let predicate = try NSPredicate.parsing(
          query.format, query.arguments.map { $0.argument(on: side) })
        guard case .template(let template, _, _) = predicate.form else { return "no template" }
        if expected.isEmpty {
          for rules in [ZooInterpreter.Rules.sql, .plain] {
            let interpreter = ZooInterpreter(rules: rules, arguments: query.arguments.map(\.item))
            expected[rules] = nodes.filter { interpreter.holds(template.root, $0) == true }
              .map(\.code)
          }
        }
        let (found, inMemory, plain) = try side.context.performAndWait {
          (
            try fetch(query, predicate, side),
            query.isPlain ? try fetchInMemory(query, predicate, side) : nil,
            query.isPlain ? evaluate(predicate, nodes, side) : []
          )
        }
        if found != expected[.sql] {
          return "\(side.name) finds \(found), the interpreter \(expected[.sql] ?? [])"
        }
        if let inMemory, inMemory != found {
          return "\(side.name) finds \(found), and \(inMemory) by evaluation in memory"
        }
        let followed = try side.context.performAndWait { try follow(query, predicate, side) }
        if followed != found {
          return "\(side.name) finds \(found), followed results have \(followed)"
        }
        if query.isPlain, plain != expected[.plain] {
          return "plain evaluation finds \(plain), the interpreter \(expected[.plain] ?? [])"
        }
      }
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// The codes that a store finds without evaluation in memory.
  private static func fetch(
    _ query: ZooQuery, _ predicate: NSPredicate, _ side: ZooWorld.Side
  ) throws -> [Int64] {
    let request = NSFetchRequest<NSManagedObject>(entityName: query.entity)
    request.predicate = predicate
    request.allowsEvaluationInMemory = false
    return try side.context.fetch(request).compactMap { $0.value(forKey: "code") as? Int64 }
      .sorted()
  }

  /// The codes that a fetch finds by evaluating the whole predicate in memory, because it contains
  /// a block.
  private static func fetchInMemory(
    _ query: ZooQuery, _ predicate: NSPredicate, _ side: ZooWorld.Side
  ) throws -> [Int64] {
    let request = NSFetchRequest<NSManagedObject>(entityName: query.entity)
    request.predicate = NSCompoundPredicate(
      orPredicateWithSubpredicates: [predicate, NSPredicate { _, _ in false }])
    return try codes(side.context.fetch(request))
  }

  /// The codes of the followed results.
  private static func follow(
    _ query: ZooQuery, _ predicate: NSPredicate, _ side: ZooWorld.Side
  ) throws -> [Int64] {
    let request = NSFetchRequest<NSManagedObject>(entityName: query.entity)
    request.predicate = predicate
    request.sortDescriptors = []
    return codes(try side.context.followedObjects(of: request))
  }

  private static func codes(_ objects: [NSManagedObject]) -> [Int64] {
    objects.compactMap { $0.value(forKey: "code") as? Int64 }.sorted()
  }

  private static func evaluate(
    _ predicate: NSPredicate, _ nodes: [ZooNode], _ side: ZooWorld.Side
  ) -> [Int64] {
    nodes.filter { node in side.objects[node.code].map { predicate.evaluate(with: $0) } ?? false }
      .map(\.code)
  }
}
