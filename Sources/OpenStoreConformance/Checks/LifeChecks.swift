import Foundation
import OpenObjectModel
import OpenPredicates
import OpenStoreContract

/// Checks of identity, metadata, reopening and closing.
extension StoreConformance {
  static let lifeChecks: [Check] = [
    Check("a store has a unique identifier") { trial in
      try expect(UUID(uuidString: trial.store.identifier) != nil, "The identifier is a UUID")
    },
    Check("metadata is returned as written, also after reopening") { trial in
      let date = Date(timeIntervalSinceReferenceDate: 700_000_000)
      try trial.write { changes in
        changes.set(metadata: [
          "text": "wörter", "number": 42, "date": date, "data": Data([1, 2, 3]),
          "list": ["a", "b"],
        ])
      }
      try expectMetadata(trial, date)
      guard let again = try trial.reopened() else { return }
      defer { again.close() }
      try expectMetadata(again, date)
      try expect(again.store.identifier, equals: trial.store.identifier, "Identifier")
    },
    Check("metadata contains the store's identifier and type") { trial in
      let metadata = try trial.store.metadata()
      try expect(
        metadata["NSStoreUUID"] as? String, equals: trial.store.identifier, "NSStoreUUID")
      try expect(metadata["NSStoreType"] is String, "NSStoreType is a string")
    },
    Check("changed metadata keeps the identifier, and other commits keep the metadata") { trial in
      try trial.write { $0.set(metadata: ["text": "kept"]) }
      _ = try trial.insert("Tag", NewObject(["name": .string("new")]))
      let metadata = try trial.store.metadata()
      try expect(metadata["text"] as? String, equals: "kept", "Metadata after another commit")
      try expect(
        metadata["NSStoreUUID"] as? String, equals: trial.store.identifier, "NSStoreUUID")
    },
    Check("a durable store can be reopened with all of its contents") { trial in
      try expect(
        trial.store.capabilities.contains(.durable), equals: trial.canReopen,
        "A store is durable if and only if it can be reopened")
      let town = try Town(in: trial)
      guard let again = try trial.reopened() else { return }
      defer { again.close() }
      try again.expectNames(Query("Person"), everybody + ["Cyd"], "People")
      try again.expectNames(Query("Place"), ["Aarhus", "Bergen", "Oslo", "Fjord"], "Places")
      try expect(
        try again.destinations("tags", of: [try town.person("Ada")]),
        equals: [[try town.tag("red"), try town.tag("blue")]], "Tags of Ada")
    },
    Check("every call on a closed store throws") { trial in
      let plan = try trial.plan(Query("Tag"))
      let tag = try trial.schema.entity("Tag")
      trial.store.close()
      trial.store.close()
      let calls: [(String, () throws -> Void)] = [
        ("count", { _ = try trial.store.count(matching: plan) }),
        ("keys", { _ = try trial.store.keys(matching: plan) }),
        ("rows", { _ = try trial.store.rows(of: tag, keys: [1]) }),
        ("commit", { _ = try trial.store.commit(reserving: [:]) { _ in ChangeSet() } }),
        ("reserveKeys", { _ = try trial.store.reserveKeys([tag.rootIndex: 1]) }),
      ]
      for (name, call) in calls {
        do {
          try call()
        } catch let error as StoreError {
          try expect(error.code, equals: .closed, "Error of \(name)")
          continue
        }
        throw ConformanceFailure(
          "\(name) on a closed store", expected: "an error", actual: "none")
      }
    },
  ]

  private static func expectMetadata(_ trial: StoreTrial, _ date: Date) throws {
    let metadata = try trial.store.metadata()
    try expect(metadata["text"] as? String, equals: "wörter", "Text")
    try expect(metadata["number"] as? Int, equals: 42, "Number")
    try expect(metadata["date"] as? Date, equals: date, "Date")
    try expect(metadata["data"] as? Data, equals: Data([1, 2, 3]), "Data")
    try expect(metadata["list"] as? [String], equals: ["a", "b"], "List")
  }
}
