import OpenObjectModel
import OpenPredicates
import OpenStoreContract

/// Checks of limits and offsets, subentities, fetches of keys, and rows by key.
extension StoreConformance {
  static let fetchChecks: [Check] = [
    Check("limit and offset apply to the sorted result, for rows, keys and counts") { trial in
      _ = try Town(in: trial)
      let cases: [(limit: Int?, offset: Int?, names: [String])] = [
        (2, nil, ["Ada", "Bob"]), (nil, 3, ["Dan", "Eve"]), (2, 2, ["Cyd", "Dan"]),
        (9, 4, ["Eve"]), (3, 5, []), (nil, 99, []), (0, nil, []), (5, 0, everybody + ["Cyd"]),
      ]
      var query = Query("Person")
      query.sort = [try trial.ascending("Person.serial")]
      for item in cases {
        (query.limit, query.offset) = (item.limit, item.offset)
        let expected = item.names.sorted()
        try expect(try trial.texts("name", query), equals: expected, "\(item)")
      }
    },
    Check("a limit applies after the filter") { trial in
      _ = try Town(in: trial)
      var query = Query("Person", try trial.compare("Person.age", .equal), [.int(36)])
      query.sort = [try trial.descending("Person.serial")]
      query.limit = 1
      try expect(try trial.texts("name", query), equals: ["Eve"], "Last of age 36")
    },
    Check("rows of sub-entities are included only on request") { trial in
      _ = try Town(in: trial)
      let cases: [(String, Bool, [String])] = [
        ("Place", true, ["Aarhus", "Bergen", "Oslo", "Fjord"]), ("Place", false, []),
        ("City", true, ["Aarhus", "Bergen", "Oslo"]), ("City", false, ["Aarhus", "Bergen"]),
        ("Capital", true, ["Oslo"]), ("Village", true, ["Fjord"]), ("Village", false, ["Fjord"]),
      ]
      for (entity, includesSubentities, names) in cases {
        var query = Query(entity)
        query.includesSubentities = includesSubentities
        try trial.expectNames(query, names, "\(entity), with sub-entities: \(includesSubentities)")
      }
    },
    Check("a large result is a linked list of chunks") { trial in
      let names = (0..<2000).map { String(repeating: "\($0) ", count: 40) }
      _ = try trial.insert("City", names.map { NewObject(["name": .string($0)]) })
      var chunks: [RowChunk] = []
      try trial.store.forEachChunk(matching: try trial.plan(Query("City"))) { chunk in
        chunks.append(chunk)
      }
      try expect(chunks.reduce(0) { $0 + $1.rowCount }, equals: names.count, "Rows")
      for (chunk, next) in zip(chunks, chunks.dropFirst()) {
        try expect(chunk.next === next, equals: true, "The next chunk")
      }
      try expect(chunks.last?.next == nil, equals: true, "No chunk after the last one")
    },
    Check("keys contain the actual entity") { trial in
      let town = try Town(in: trial)
      let keys = try trial.store.keys(matching: try trial.plan(Query("Place")))
      try expect(Set(keys), equals: Set(town.places.values), "Keys of all places")
    },
    Check(
      "an interrupted fetch throws the error for interruptions, and other fetches continue"
    ) { trial in
      _ = try Town(in: trial)
      let plan = try trial.plan(Query("Person"))
      var interrupted = plan
      interrupted.interruption = ReadInterruption()
      let count = try trial.store.count(matching: plan)
      try expect(try trial.store.keys(matching: interrupted).count, equals: count, "Keys before")
      interrupted.interruption?.interrupt()
      let reads: [() throws -> Void] = [
        { _ = try trial.store.count(matching: interrupted) },
        { _ = try trial.store.keys(matching: interrupted) },
        { try trial.store.forEachChunk(matching: interrupted) { _ in } },
      ]
      for read in reads {
        var caught: StoreError?
        do { try read() } catch let error as StoreError { caught = error }
        try expect(caught?.code, equals: .interrupted, "Error of an interrupted plan")
        try expect(
          try trial.store.keys(matching: plan).count, equals: count, "Keys of another plan")
      }
    },
    Check("one plan can be run with different constants and data") { trial in
      let town = try Town(in: trial)
      var plan = try trial.plan(Query("Person", try trial.compare("Person.age", .equal)))
      for (constant, count) in [(Value.int(36), 2), (.int(41), 1), (.null, 0), (.double(-5), 1)] {
        plan.bindings = [constant]
        try expect(try trial.store.count(matching: plan), equals: count, "age = \(constant)")
      }
      let eve = try trial.storedRow(try town.person("Eve"))
      try trial.write { $0.delete(eve) }
      plan.bindings = [.int(36)]
      try expect(try trial.store.count(matching: plan), equals: 1, "age = 36 after a deletion")
    },
    Check("a plan for values can count its results, with groups, conditions and limits") { trial in
      _ = try Town(in: trial)
      let age = try trial.operand("Person.age")
      let column = Projection.Column(age, type: .integer32)
      let total = Projection.Column(.rowCount, type: .integer64)
      let condition = Filter.comparison(.column(1), .greaterThan, .binding(0), [])
      let cases: [(projection: Projection, count: Int)] = [
        (Projection(columns: [column]), 5), (Projection(columns: [column], isDistinct: true), 4),
        (Projection(columns: [column, total], groups: [age]), 4),
        (Projection(columns: [column, total], groups: [age], condition: condition), 1),
        (Projection(columns: [total]), 1),
      ]
      for (projection, count) in cases {
        for limit in [nil, 1, 9] {
          let shape = FetchShape(
            entity: try trial.schema.entity("Person"), hasLimit: limit != nil,
            projection: projection)
          let plan = FetchPlan(shape: shape, bindings: [.int(1)], limit: limit ?? 0)
          var results = 0
          try trial.store.forEachResultBatch(matching: plan) { values in
            results += values.count / projection.columns.count
          }
          let expected = min(count, limit ?? count)
          try expect(results, equals: expected, "Results of \(projection)")
          try expect(
            try trial.store.count(matching: plan), equals: expected, "Count of \(projection)")
        }
      }
    },
    Check("the sum of the rows of a plan is 0 if there are no values") { trial in
      _ = try Town(in: trial)
      let age = try trial.operand("Person.age")
      let sum = Projection.Column(.total(.sum, age), type: .integer64)
      let cases: [(filter: Filter?, sum: Int64)] = [
        (nil, 108), (.isNull(age), 0), (.constant(false), 0),
      ]
      for (filter, expected) in cases {
        let shape = FetchShape(
          entity: try trial.schema.entity("Person"), filter: filter,
          projection: Projection(columns: [sum]))
        var found: [Value] = []
        try trial.store.forEachResultBatch(matching: FetchPlan(shape: shape)) { found += $0 }
        try expect(found, equals: [.int(expected)], "Sum of ages, \(String(describing: filter))")
      }
    },
    Check("rows are read by key, even if keys are missing or repeated") { trial in
      let town = try Town(in: trial)
      let ada = try town.person("Ada").key
      let dan = try town.person("Dan").key
      let person = try trial.schema.entity("Person")
      let cases: [([Int64], Set<Int64>)] = [
        ([], []), ([ada], [ada]), ([dan, ada], [ada, dan]), ([ada, ada, dan, ada], [ada, dan]),
        ([1 << 40, dan, -3], [dan]), ([1 << 40], []),
        (Array(ada..<ada + 2500) + [dan], Set(town.people.values.map(\.key))),
      ]
      for (keys, expected) in cases {
        let chunk = try trial.store.rows(of: person, keys: keys)
        var found: [Int64] = []
        chunk.forEachRow { found.append($0.key) }
        try expect(found.count, equals: chunk.rowCount, "Row count of the chunk")
        try expect(found.sorted(), equals: expected.sorted(), "Rows of \(keys.count) keys")
      }
    },
    Check("rows that are read by key include rows of sub-entities") { trial in
      let town = try Town(in: trial)
      let place = try trial.schema.entity("Place")
      let keys = town.places.values.map(\.key)
      let chunk = try trial.store.rows(of: place, keys: keys)
      var found: Set<ObjectKey> = []
      chunk.forEachRow { found.insert(ObjectKey(entityIndex: $0.entityIndex, key: $0.key)) }
      try expect(found, equals: Set(town.places.values), "Rows of all places")
      var population: Value = .null
      try trial.store.rows(of: place, keys: [try town.place("Oslo").key]).forEachRow {
        population = (try? trial.value("population", of: $0)) ?? .null
      }
      try expect(population, equals: .int(700_000), "Own values of the sub-entity")
    },
    Check("many rows are returned in order, in one or several chunks") { trial in
      let count = 5000
      try trial.insert(
        "Person",
        (0..<count).map {
          NewObject(["serial": .int(Int64($0)), "note": .string("note number \($0)")])
        })
      var query = Query("Person")
      query.sort = [try trial.descending("Person.serial")]
      let rows = try trial.rows(query)
      try expect(rows.count, equals: count, "Number of rows")
      for (index, row) in rows.enumerated() {
        let serial = count - 1 - index
        try expect(
          try trial.value("note", of: row), equals: .string("note number \(serial)"), "Text")
      }
    },
    Check("an error that the receiver throws ends the fetch and is thrown to the caller") { trial in
      _ = try Town(in: trial)
      let plan = try trial.plan(Query("Person"))
      var caught: StoreError?
      do {
        try trial.store.forEachChunk(matching: plan) { (_) throws(StoreError) in
          throw StoreError(.unsupported, "The check threw this error.")
        }
      } catch let error as StoreError {
        caught = error
      }
      try expect(caught?.code, equals: .unsupported, "Error of the receiver")
      try expect(try trial.store.count(matching: plan), equals: 5, "Count afterwards")
    },
  ]
}
