import Foundation
import OpenSwiftData
import Testing

/// An enumeration under another name.
private enum Grades1: VersionedSchema {
  static var models: [any PersistentModel.Type] { [Scholar.self] }
  static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }

  @Model final class Scholar {
    var number: Int
    var grade: Grade?
    enum Grade: String, Codable { case low, high }
    init(number: Int) { self.number = number }
  }
}

private enum Grades2: VersionedSchema {
  static var models: [any PersistentModel.Type] { [Scholar.self] }
  static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }

  @Model final class Scholar {
    var number: Int
    @Attribute(originalName: "grade") var level: Level?
    var grade: Level = Level.high
    enum Level: String, Codable { case low, high }
    init(number: Int) { self.number = number }
  }
}

private enum GradePlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [Grades1.self, Grades2.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: Grades1.self, toVersion: Grades2.self)]
  }
}

/// Values that become required.
private enum Parts {
  enum Way: Int, Codable { case one, both }
  enum Side: Codable { case left, right }
  enum Remark: Codable, Equatable {
    case text(String)
    case number(Int)
  }
  struct Stop: Codable, Equatable {
    var a: Int
    var b: String?
  }
}

private enum LooseParts {
  @Model final class Walk {
    var number: Int
    var way: Parts.Way?
    var side: Parts.Side?
    var remark: Parts.Remark?
    var stop: Parts.Stop?
    init(number: Int) { self.number = number }
  }
}

private enum StrictParts {
  @Model final class Walk {
    var number: Int
    var way: Parts.Way = Parts.Way.both
    var side: Parts.Side = Parts.Side.right
    var remark: Parts.Remark = Parts.Remark.number(4)
    @Attribute(originalName: "stop") var pause: Parts.Stop = Parts.Stop(a: 6, b: "z")
    init(number: Int) { self.number = number }
  }
}

/// A structure that gains enumerations.
private enum SmallParts {
  struct Stop: Codable {
    var a: Int
    var way: Parts.Way?
  }

  @Model final class Ride {
    var number: Int
    var stop: Stop = SmallParts.Stop(a: 1)
    init(number: Int) { self.number = number }
  }
}

private enum LargeParts {
  struct Stop: Codable, Equatable {
    var a: Int
    var way: Parts.Way
    var side: Parts.Side
    var c: Int
  }

  @Model final class Ride {
    var number: Int
    var stop: Stop = LargeParts.Stop(a: 1, way: .both, side: .right, c: 8)
    init(number: Int) { self.number = number }
  }
}

/// A name that becomes unique, after a closure has changed the models.
private enum Labels1: VersionedSchema {
  static var models: [any PersistentModel.Type] { [Label.self] }
  static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }

  @Model final class Label {
    var name: String
    var note: String = ""
    init(name: String) { self.name = name }
  }
}

private enum Labels2: VersionedSchema {
  static var models: [any PersistentModel.Type] { [Label.self] }
  static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }

  @Model final class Label {
    @Attribute(.unique) var name: String
    var note: String = ""
    init(name: String) { self.name = name }
  }
}

private enum LabelPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [Labels1.self, Labels2.self] }
  static var stages: [MigrationStage] {
    [
      .custom(
        fromVersion: Labels1.self, toVersion: Labels2.self,
        willMigrate: { context in
          for label in try context.fetch(FetchDescriptor<Labels1.Label>()) { label.note = "seen" }
          try context.save()
        }, didMigrate: nil)
    ]
  }
}

@Suite("Migration of enumerations and structures")
struct PartMigrationTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  @Test("a renamed enumeration keeps its values, and its old name can be used", arguments: [0, 1])
  func renamed(stageCount: Int) throws {
    try folder.with(Grades1.self) { context in
      for number in 1...2 {
        let scholar = Grades1.Scholar(number: number)
        context.insert(scholar)
        if number == 1 { scholar.grade = .low }
      }
      try context.save()
    }
    try folder.with(Grades2.self, stageCount == 0 ? nil : GradePlan.self) { context in
      let scholars = try context.fetch(
        FetchDescriptor<Grades2.Scholar>(sortBy: [SortDescriptor(\.number)]))
      #expect(scholars.map(\.level) == [.low, nil])
      #expect(scholars.map(\.grade) == [.high, .high])
    }
  }

  @Test("optional enumerations and structures become required, with the default instead of nil")
  func required() throws {
    try folder.with(Schema([LooseParts.Walk.self])) { context in
      context.insert(LooseParts.Walk(number: 1))
      let walk = LooseParts.Walk(number: 2)
      context.insert(walk)
      walk.way = .one
      walk.side = .left
      walk.remark = .text("x")
      walk.stop = Parts.Stop(a: 7, b: nil)
      try context.save()
    }
    try folder.with(Schema([StrictParts.Walk.self])) { context in
      let walks = try context.fetch(
        FetchDescriptor<StrictParts.Walk>(sortBy: [SortDescriptor(\.number)]))
      #expect(walks.map(\.way) == [.both, .one])
      #expect(walks.map(\.side) == [.right, .left])
      #expect(walks.map(\.remark) == [.number(4), .text("x")])
      #expect(walks.map(\.pause) == [Parts.Stop(a: 6, b: "z"), Parts.Stop(a: 7, b: nil)])
      for walk in walks { walk.number += 1 }
      try context.save()
    }
  }

  @Test("a structure keeps its values if it gains enumerations, or if one becomes required")
  func gained() throws {
    try folder.with(Schema([SmallParts.Ride.self])) { context in
      let ride = SmallParts.Ride(number: 1)
      context.insert(ride)
      ride.stop = SmallParts.Stop(a: 7)
      try context.save()
    }
    try folder.with(Schema([LargeParts.Ride.self])) { context in
      let ride = try #require(try context.fetch(FetchDescriptor<LargeParts.Ride>()).first)
      #expect(ride.stop == LargeParts.Stop(a: 7, way: .both, side: .right, c: 8))
      ride.number = 2
      try context.save()
    }
  }

  @Test("after a failed migration, the changes that willMigrate saved remain, as the error says")
  func savedChanges() throws {
    try folder.with(Labels1.self) { context in
      for _ in 1...2 { context.insert(Labels1.Label(name: "a")) }
      try context.save()
    }
    let error = folder.error(Labels2.self, LabelPlan.self)
    let description = error?.localizedDescription ?? ""
    #expect(description.contains("This step of the migration did not change the store."))
    let notes = try folder.with(Labels1.self) { context in
      try context.fetch(FetchDescriptor<Labels1.Label>()).map(\.note)
    }
    #expect(notes == ["seen", "seen"])
  }
}
