import Foundation
import OpenCoreData
import OpenObjectModel
import OpenSwiftData
import Testing

/// Relationships to a subclass of the class that has the relationship back.
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

@Suite("Inverses in class hierarchies")
struct PairingTests {
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
