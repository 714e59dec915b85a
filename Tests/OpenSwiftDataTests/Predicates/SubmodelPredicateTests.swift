import Foundation
import OpenSwiftData
import Testing

/// Submodels that declare different relationships at the same position.
private enum Traffic {
  @Model class Vehicle {
    var name: String
    init(name: String) { self.name = name }
  }

  @Model final class Car: Vehicle {
    var garage: Site?
    var seats: Int = 4
    init(name: String, in garage: Site) {
      self.garage = garage
      super.init(name: name)
    }
  }

  @Model final class Boat: Vehicle {
    var harbor: Site?
    var depth: Int = 2
    init(name: String, in harbor: Site) {
      self.harbor = harbor
      super.init(name: name)
    }
  }

  @Model final class Site {
    var name: String
    init(name: String) { self.name = name }
  }
}

@Suite("Submodels in fetches, predicates and deletions")
struct SubmodelPredicateTests {
  private let container: ModelContainer
  /// A second context without unsaved changes, so that models are read from the store.
  private let context: ModelContext

  init() throws {
    container = try ModelContainer(
      for: Animal.self, Dog.self, Puppy.self, AnimalHome.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let filling = ModelContext(container)
    let home = AnimalHome()
    let (cat, dog) = (Animal(name: "Tom", home: home), Dog(name: "Rex", breed: "Lab", home: home))
    let (puppy, old) = (Puppy(weeks: 3), Dog(name: "Old", breed: "mix"))
    old.age = 12
    puppy.friend = cat
    cat.friend = dog
    dog.bestFriend = puppy
    for animal in [cat, dog, puppy, old] { filling.insert(animal) }
    try filling.save()
    context = ModelContext(container)
  }

  private func names(_ predicate: Predicate<Animal>) throws -> [String] {
    let found = try context.fetch(FetchDescriptor(predicate: predicate)).map(\.name).sorted()
    // Evaluation on models finds the same result.
    let all = try context.fetch(FetchDescriptor<Animal>())
    #expect(try all.filter { try predicate.evaluate($0) }.map(\.name).sorted() == found)
    #expect(try context.fetchCount(FetchDescriptor(predicate: predicate)) == found.count)
    return found
  }

  @Test("a fetch of the base class returns instances of the submodels")
  func instances() throws {
    let animals = try context.fetch(FetchDescriptor<Animal>(sortBy: [SortDescriptor(\.name)]))
    #expect(animals.map { "\(type(of: $0))" } == ["Dog", "Puppy", "Dog", "Animal"])
    #expect(animals.map { ($0 as? Dog)?.breed } == ["mix", "mix", "Lab", nil])
    #expect((animals[1] as? Puppy)?.weeks == 3)
    #expect(animals[3].friend === animals[2])
    let home = try #require(try context.fetch(FetchDescriptor<AnimalHome>()).first)
    #expect(Set(home.animals.map { "\(type(of: $0))" }) == ["Animal", "Dog"])
    #expect(try context.fetch(FetchDescriptor<Puppy>()).map(\.age) == [2])
    #expect(try context.fetchCount(FetchDescriptor<Dog>()) == 3)
  }

  @Test("a predicate tests for a submodel")
  func tests() throws {
    #expect(try names(#Predicate { $0 is Dog }) == ["Old", "Rex", "pup"])
    #expect(try names(#Predicate { $0 is Puppy }) == ["pup"])
    #expect(try names(#Predicate { !($0 is Dog) }) == ["Tom"])
    #expect(try names(#Predicate { $0 is Dog && $0.name != "Rex" }) == ["Old", "pup"])
    #expect(try names(#Predicate { $0.friend is Dog }) == ["Tom"])
    #expect(try names(#Predicate { !($0.friend is Dog) }) == ["Old", "Rex", "pup"])
  }

  @Test("a predicate reads properties of a submodel after a cast")
  func casts() throws {
    #expect(try names(#Predicate { ($0 as? Dog)?.breed == "mix" }) == ["Old", "pup"])
    #expect(try names(#Predicate { ($0 as? Puppy)?.weeks == 3 }) == ["pup"])
    #expect(try names(#Predicate { ($0 as? Puppy)?.weeks != 3 }) == ["Old", "Rex", "Tom"])
    #expect(try names(#Predicate { ($0 as? Puppy)?.weeks == nil }) == ["Old", "Rex", "Tom"])
    #expect(try names(#Predicate { (($0 as? Dog)?.age ?? 0) > 5 }) == ["Old"])
    #expect(try names(#Predicate { ($0.friend as? Dog)?.breed == "Lab" }) == ["Tom"])
    #expect(try names(#Predicate { ($0 as? Dog)?.bestFriend != nil }) == ["Rex"])
    #expect(try names(#Predicate { ($0 as? Dog)?.bestFriend?.name == "pup" }) == ["Rex"])
  }

  @Test("a condition behind a forced cast is unknown for models of other classes")
  func forcedCasts() throws {
    func names(_ predicate: Predicate<Animal>) throws -> [String] {
      try context.fetch(FetchDescriptor(predicate: predicate)).map(\.name).sorted()
    }
    #expect(try names(#Predicate { ($0 as! Dog).bestFriend == nil }) == ["Old", "pup"])
    #expect(try names(#Predicate { ($0 as! Dog).bestFriend != nil }) == ["Rex"])
    #expect(try names(#Predicate { ($0 as! Dog).breed != "mix" }) == ["Rex"])
    #expect(try names(#Predicate { !(($0 as! Dog).bestFriend != nil) }) == ["Old", "pup"])
    #expect(
      try names(#Predicate { $0.name == "Tom" || ($0 as! Dog).bestFriend == nil })
        == ["Old", "Tom", "pup"])
  }

  @Test("a predicate on a submodel reads inherited properties and related models' properties")
  func inherited() throws {
    func names(_ predicate: Predicate<Dog>) throws -> [String] {
      try context.fetch(FetchDescriptor(predicate: predicate)).map(\.name).sorted()
    }
    #expect(try names(#Predicate { $0.name == "Rex" && $0.breed == "Lab" }) == ["Rex"])
    #expect(try names(#Predicate { $0.friend?.name == "Tom" }) == ["pup"])
    #expect(try names(#Predicate { $0 is Puppy }) == ["pup"])
    let homes = try context.fetch(
      FetchDescriptor<AnimalHome>(predicate: #Predicate { $0.animals.contains { $0 is Dog } }))
    #expect(homes.count == 1)
    let puppies = try context.fetch(
      FetchDescriptor<AnimalHome>(predicate: #Predicate { $0.animals.contains { $0 is Puppy } }))
    #expect(puppies.isEmpty)
  }

  @Test("a predicate can contain casts to several submodels")
  func siblings() throws {
    typealias Vehicle = Traffic.Vehicle
    let container = try ModelContainer(
      for: Vehicle.self, Traffic.Car.self, Traffic.Boat.self, Traffic.Site.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let filling = ModelContext(container)
    let (city, sea) = (Traffic.Site(name: "city"), Traffic.Site(name: "sea"))
    for (number, site) in [city, sea].enumerated() {
      let car = Traffic.Car(name: "car\(number)", in: site)
      let boat = Traffic.Boat(name: "boat\(number)", in: site)
      car.seats = number
      boat.depth = number
      filling.insert(car)
      filling.insert(boat)
    }
    try filling.save()
    let context = ModelContext(container)
    func names(_ predicate: Predicate<Vehicle>) throws -> [String] {
      try context.fetch(FetchDescriptor(predicate: predicate)).map(\.name).sorted()
    }
    #expect(
      try names(
        #Predicate {
          ($0 as? Traffic.Car)?.garage?.name == "city"
            || ($0 as? Traffic.Boat)?.harbor?.name == "sea"
        }) == ["boat1", "car0"])
    #expect(
      try names(
        #Predicate { ($0 as? Traffic.Car)?.seats == 1 || ($0 as? Traffic.Boat)?.depth == 0 })
        == ["boat0", "car1"])
    #expect(try names(#Predicate { $0 is Traffic.Car && $0.name != "car0" }) == ["car1"])
  }

  @Test("tests and casts apply to unsaved models")
  func unsaved() throws {
    context.insert(Dog(name: "New", breed: "mix"))
    try context.fetch(FetchDescriptor<Dog>(predicate: #Predicate { $0.name == "Rex" })).first?
      .breed = "mix"
    #expect(try names(#Predicate { ($0 as? Dog)?.breed == "mix" }) == ["New", "Old", "Rex", "pup"])
    #expect(try names(#Predicate { $0 is Dog }) == ["New", "Old", "Rex", "pup"])
  }

  @Test("deleting a base class without subclasses keeps the submodels")
  func deletion() throws {
    try context.delete(
      model: Dog.self, where: #Predicate { $0.breed == "mix" }, includeSubclasses: false)
    try context.save()
    let left = try context.fetch(FetchDescriptor<Animal>()).map(\.name).sorted()
    #expect(left == ["Rex", "Tom", "pup"])
    try context.delete(model: Animal.self, includeSubclasses: false)
    try context.save()
    #expect(try context.fetch(FetchDescriptor<Animal>()).map(\.name).sorted() == ["Rex", "pup"])
    try context.delete(model: Animal.self)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Animal>()) == 0)
  }

  @Test("a submodel that the schema does not list is rejected")
  func unlisted() throws {
    let context = ModelContext(
      try ModelContainer(
        for: Animal.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    context.insert(Animal(name: "a"))
    try context.save()
    context.insert(Dog(name: "d", breed: "b"))
    #expect(throws: SwiftDataError.unknownSchema) { try context.save() }
    #expect(try context.fetchCount(FetchDescriptor<Animal>()) == 1)
    #expect(throws: (any Error).self) { try context.fetch(FetchDescriptor<Dog>()) }
  }
}
