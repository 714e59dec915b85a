import Foundation
import OpenCoreData
import OpenObjectModel
import OpenSwiftData
import Testing

/// Relationships to a subclass of the class that declares the inverse.
private enum Zoo {
  @Model class Beast {
    var name: String
    var keeper: Keeper?
    init(name: String) { self.name = name }
  }

  @Model final class Lion: Beast {
    var mane: Int = 1
    init(mane: Int) {
      self.mane = mane
      super.init(name: "lion")
    }
  }

  @Model final class Keeper {
    var lions: [Lion] = []
    init() {}
  }
}

/// An inverse that leads to a subclass.
private enum School {
  @Model class Pupil {
    var name: String
    @Relationship(inverse: \Teacher.seniors) var teacher: Teacher?
    init(name: String) { self.name = name }
  }

  @Model final class Senior: Pupil {
    var year: Int = 1
    init(year: Int) {
      self.year = year
      super.init(name: "senior")
    }
  }

  @Model final class Teacher {
    var seniors: [Senior] = []
    init() {}
  }
}

/// An inverse that a superclass of the destination declares.
private enum Airport {
  @Model class Plane {
    var name: String
    var pilot: Pilot?
    init(name: String) { self.name = name }
  }

  @Model final class Jet: Plane {
    var engines: Int = 1
    init(engines: Int) {
      self.engines = engines
      super.init(name: "jet")
    }
  }

  @Model final class Pilot {
    @Relationship(inverse: \Plane.pilot) var jets: [Jet] = []
    init() {}
  }
}

/// Two relationships that name the same inverse, as in Apple's sample Backyard Birds.
private enum Yard {
  @Model final class Backyard {
    var name: String
    @Relationship(inverse: \Shrub.backyard) var leading: [Shrub] = []
    @Relationship(inverse: \Shrub.backyard) var trailing: [Shrub] = []
    init(name: String) { self.name = name }
  }

  @Model final class Shrub {
    var number: Int
    var backyard: Backyard?
    init(number: Int) { self.number = number }
  }
}

/// Two relationships that name the same inverse, which names the second one.
@Suite("Inverses in class hierarchies")
struct PairingTests {
  @Test(
    "if several relationships name one inverse, the first one is connected to it (D-448)",
    arguments: [true, false])
  func sharedInverse(inMemory: Bool) throws {
    let schema = Schema([Yard.Backyard.self, Yard.Shrub.self])
    let context = try Library.context(schema, inMemory: inMemory)
    let backyard = Yard.Backyard(name: "a")
    context.insert(backyard)
    backyard.leading = [Yard.Shrub(number: 1), Yard.Shrub(number: 2)]
    backyard.trailing = [Yard.Shrub(number: 3)]
    try context.save()
    let reader = ModelContext(context.container)
    let found = try #require(try reader.fetch(FetchDescriptor<Yard.Backyard>()).first)
    #expect(found.leading.map(\.number).sorted() == [1, 2])
    #expect(found.trailing.map(\.number) == [3])
    let shrubs = try reader.fetch(FetchDescriptor<Yard.Shrub>(sortBy: [SortDescriptor(\.number)]))
    #expect(shrubs.map { $0.backyard === found } == [true, true, false])
    let entity = try #require(try schema.managedObjectModel().entitiesByName["Backyard"])
    #expect(entity.relationshipsByName["leading"]?.inverseRelationship?.name == "backyard")
    #expect(entity.relationshipsByName["trailing"]?.inverseRelationship == nil)
  }

  @Test("a save logs that a list without an inverse loses a model to another list")
  func takenMember() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let schema = Schema([Yard.Backyard.self, Yard.Shrub.self])
      let context = try Library.context(schema, inMemory: true)
      let first = Yard.Backyard(name: "a")
      let second = Yard.Backyard(name: "b")
      let shrub = Yard.Shrub(number: 1)
      context.insert(first)
      context.insert(second)
      first.trailing = [shrub]
      second.trailing = [shrub]
      try context.save()
      guard first.trailing.count + second.trailing.count == 1 else {
        throw CocoaError(.coderInvalidValue)
      }
    }
    let log = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(log.contains("A save removed objects from the relationship trailing of Backyard"))
  }

  @Test("a save that moves a model between lists without an inverse logs no lost model")
  func movedMember() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let schema = Schema([Yard.Backyard.self, Yard.Shrub.self])
      let context = try Library.context(schema, inMemory: true)
      let first = Yard.Backyard(name: "a")
      let second = Yard.Backyard(name: "b")
      let shrub = Yard.Shrub(number: 1)
      context.insert(first)
      context.insert(second)
      first.trailing = [shrub]
      try context.save()
      first.trailing = []
      second.trailing = [shrub]
      try context.save()
      guard first.trailing.isEmpty, second.trailing == [shrub] else {
        throw CocoaError(.coderInvalidValue)
      }
    }
    let log = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(!log.contains("A save removed objects"))
  }

  @Test("relationships to a class and to its subclass are not inverses of each other")
  func subclass() throws {
    let container = try ModelContainer(
      for: Zoo.Lion.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let keeper = Zoo.Keeper()
    keeper.lions = [Zoo.Lion(mane: 3)]
    context.insert(keeper)
    let cat = Zoo.Beast(name: "cat")
    cat.keeper = keeper
    context.insert(cat)
    try context.save()
    let reader = ModelContext(container)
    let found = try #require(try reader.fetch(FetchDescriptor<Zoo.Keeper>()).first)
    #expect(found.lions.map(\.name) == ["lion"])
    #expect(found.lions.first?.keeper == nil)
    let model = try Schema([Zoo.Lion.self]).managedObjectModel()
    let lions = try #require(model.entitiesByName["Keeper"]?.relationshipsByName["lions"])
    let owner = try #require(model.entitiesByName["Beast"]?.relationshipsByName["keeper"])
    #expect(lions.inverseRelationship == nil && owner.inverseRelationship == nil)
  }

  @Test("a named inverse that does not accept all models of the class is an error")
  func inverseToSubclass() {
    let error = #expect(throws: SchemaError.self) {
      try Schema([School.Senior.self]).managedObjectModel()
    }
    #expect(error?.code == .wrongInverse)
    #expect(error?.entityName == "Pupil" && error?.propertyName == "teacher")
  }

  @Test("a named inverse of models that the relationship does not accept is an error")
  func inverseOfSuperclass() {
    let error = #expect(throws: SchemaError.self) {
      try Schema([Airport.Jet.self]).managedObjectModel()
    }
    #expect(error?.code == .wrongInverse)
    #expect(error?.entityName == "Pilot" && error?.propertyName == "jets")
  }
}
