import Foundation
import OpenSwiftData
import Synchronization
import Testing

/// A class under another name.
private enum Clubs1: VersionedSchema {
  static var models: [any PersistentModel.Type] { [Person.self] }
  static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }

  @Model final class Person {
    var name: String
    init(name: String) { self.name = name }
  }
}

private enum Clubs2: VersionedSchema {
  static var models: [any PersistentModel.Type] { [Member.self] }
  static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }

  @Model final class Member {
    @Attribute(.unique) var name: String
    init(name: String) { self.name = name }
  }
}

private enum ClubPlan: SchemaMigrationPlan {
  static let names = Mutex<[String]>([])

  static var schemas: [any VersionedSchema.Type] { [Clubs1.self, Clubs2.self] }
  static var stages: [MigrationStage] {
    [
      .custom(
        fromVersion: Clubs1.self, toVersion: Clubs2.self,
        willMigrate: { context in
          let found = try context.fetch(FetchDescriptor<Clubs1.Person>()).map(\.name)
          names.withLock { $0 = found }
        },
        didMigrate: { context in
          for name in names.withLock({ $0 }) { context.insert(Clubs2.Member(name: name)) }
          try context.save()
        })
    ]
  }
}

/// A new required property without a default value.
private enum Codes1: VersionedSchema {
  static var models: [any PersistentModel.Type] { [Item.self] }
  static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }

  @Model final class Item {
    var name: String
    init(name: String) { self.name = name }
  }
}

private enum Codes2: VersionedSchema {
  static var models: [any PersistentModel.Type] { [Item.self] }
  static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }

  @Model final class Item {
    var name: String
    var code: String
    init(name: String, code: String) {
      self.name = name
      self.code = code
    }
  }
}

private enum CodePlan: SchemaMigrationPlan {
  static let names = Mutex<[String]>([])

  static let schemas: [any VersionedSchema.Type] = [Codes1.self, Codes2.self]
  static let stages: [MigrationStage] = [
    .custom(
      fromVersion: Codes1.self, toVersion: Codes2.self,
      willMigrate: { context in
        let found = try context.fetch(FetchDescriptor<Codes1.Item>()).map(\.name)
        names.withLock { $0 = found }
        try context.delete(model: Codes1.Item.self)
        try context.save()
      },
      didMigrate: { context in
        for name in names.withLock({ $0 }) {
          context.insert(Codes2.Item(name: name, code: "code of \(name)"))
        }
        try context.save()
      })
  ]
}

/// The same properties, with another meaning.
private enum Prices1: VersionedSchema {
  static var models: [any PersistentModel.Type] { [Price.self] }
  static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }

  @Model final class Price {
    var amount: Int
    var kind: Kind
    enum Kind: String, Codable { case net, gross }
    init(amount: Int, kind: Kind) {
      self.amount = amount
      self.kind = kind
    }
  }
}

private enum Prices2: VersionedSchema {
  static var models: [any PersistentModel.Type] { [Price.self] }
  static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }

  @Model final class Price {
    @Attribute(hashModifier: "cents") var amount: Int
    var kind: Kind
    enum Kind: String, Codable { case net, gross }
    init(amount: Int, kind: Kind) {
      self.amount = amount
      self.kind = kind
    }
  }
}

/// The first version before a case was removed, which does not change the version hash.
private enum FormerPrices {
  @Model final class Price {
    var amount: Int
    var kind: Kind
    enum Kind: String, Codable { case net, gross, list }
    init(amount: Int, kind: Kind) {
      self.amount = amount
      self.kind = kind
    }
  }
}

private enum PricePlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [Prices1.self, Prices2.self] }
  static var stages: [MigrationStage] {
    [
      .custom(
        fromVersion: Prices1.self, toVersion: Prices2.self, willMigrate: nil,
        didMigrate: { context in
          for price in try context.fetch(FetchDescriptor<Prices2.Price>()) { price.amount *= 100 }
          try context.save()
        })
    ]
  }
}

@Suite("Values that the code of stages migrates")
struct CarriedValueTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  @Test("models are migrated to a class with another name")
  func renamedClass() throws {
    try folder.with(Clubs1.self) { context in
      for name in ["Ada", "Bo"] { context.insert(Clubs1.Person(name: name)) }
      try context.save()
    }
    let names = try folder.with(Clubs2.self, ClubPlan.self) { context in
      try context.fetch(FetchDescriptor<Clubs2.Member>()).map(\.name).sorted()
    }
    #expect(names == ["Ada", "Bo"])
  }

  @Test("a stage deletes the models before a property becomes required, and inserts them again")
  func requiredProperty() throws {
    try folder.with(Codes1.self) { context in
      for name in ["Ada", "Bo"] { context.insert(Codes1.Item(name: name)) }
      try context.save()
    }
    let codes = try folder.with(Codes2.self, CodePlan.self) { context in
      try context.fetch(FetchDescriptor<Codes2.Item>()).map(\.code).sorted()
    }
    #expect(codes == ["code of Ada", "code of Bo"])
  }

  @Test("a hash modifier distinguishes versions whose values have different meanings")
  func hashModifier() throws {
    try folder.with(Prices1.self) { context in
      context.insert(Prices1.Price(amount: 3, kind: .gross))
      try context.save()
    }
    for _ in 1...2 {
      let prices = try folder.with(Prices2.self, PricePlan.self) { context in
        try context.fetch(FetchDescriptor<Prices2.Price>()).map { "\($0.amount) \($0.kind)" }
      }
      #expect(prices == ["300 gross"])
    }
  }

  @Test("a value that the code of a stage cannot read stops the migration")
  func unreadable() throws {
    enum Plan: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { PricePlan.schemas }
      static var stages: [MigrationStage] {
        [
          .custom(
            fromVersion: Prices1.self, toVersion: Prices2.self,
            willMigrate: { context in
              for price in try context.fetch(FetchDescriptor<Prices1.Price>()) { _ = price.kind }
            }, didMigrate: nil)
        ]
      }
    }
    let former = Schema([FormerPrices.Price.self])
    try folder.with(former) { context in
      context.insert(FormerPrices.Price(amount: 3, kind: .list))
      try context.save()
    }
    for _ in 1...2 {
      let error = folder.error(Prices2.self, Plan.self)
      #expect(error == .loadIssueModelContainer)
      #expect(error?.localizedDescription.contains("kind") == true)
    }
    let prices = try folder.with(former) { context in
      try context.fetch(FetchDescriptor<FormerPrices.Price>()).map { "\($0.amount) \($0.kind)" }
    }
    #expect(prices == ["3 list"])
  }

  @Test("changes that the code of a stage does not save are lost")
  func unsaved() throws {
    enum Plan: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { PricePlan.schemas }
      static var stages: [MigrationStage] {
        [
          .custom(
            fromVersion: Prices1.self, toVersion: Prices2.self,
            willMigrate: { context in
              for price in try context.fetch(FetchDescriptor<Prices1.Price>()) { price.amount = 9 }
            }, didMigrate: nil)
        ]
      }
    }
    try folder.with(Prices1.self) { context in
      context.insert(Prices1.Price(amount: 3, kind: .net))
      try context.save()
    }
    let amounts = try folder.with(Prices2.self, Plan.self) { context in
      try context.fetch(FetchDescriptor<Prices2.Price>()).map(\.amount)
    }
    #expect(amounts == [3])
  }
}
