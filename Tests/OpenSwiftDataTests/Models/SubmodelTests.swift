import Observation
import OpenSwiftData
import Testing

@Suite("Models that derive from models")
struct SubmodelTests {
  @Test("the schema of a submodel has the properties of all levels")
  func schema() {
    #expect(SchemaRow.names(of: Animal.self) == ["name", "friend", "home"])
    #expect(
      SchemaRow.names(of: Puppy.self)
        == ["name", "friend", "home", "breed", "age", "bestFriend", "weeks"])
  }

  @Test("initializers set properties of all levels")
  func initialValues() {
    let puppy = Puppy(weeks: 3)
    #expect(puppy.weeks == 3)
    #expect(puppy.breed == "mix")
    #expect(puppy.name == "pup")
    #expect(puppy.age == 2)
    puppy.age = 0
    puppy.name = "P"
    #expect(puppy.age == 0)
    #expect(puppy.name == "P")
  }

  @Test("the object of a submodel has the submodel's entity from the start")
  func entities() {
    #expect(Animal(name: "a").persistentModelID.entityName == "Animal")
    #expect(Dog(name: "d", breed: "b").persistentModelID.entityName == "Dog")
    #expect(Puppy(weeks: 1).persistentModelID.entityName == "Puppy")
    #expect(Stray(name: "s", breed: "b").persistentModelID.entityName == "Dog")
  }

  @Test("an initializer that fails before the superclass is initialized leaks nothing")
  func failures() {
    #expect(Dog(namedAfter: nil) == nil)
    #expect(Animal(name: "a").persistentModelID.entityName == "Animal")
    let copy = Dog(namedAfter: Dog(name: "Rex", breed: "Lab"))
    #expect(copy?.name == "Rex")
    #expect(copy?.age == 2)
  }

  @Test("models of other classes can be created while a submodel is initialized")
  func nesting() {
    let dog = Dog(name: "Rex", breed: "Lab", home: AnimalHome())
    #expect(dog.persistentModelID.entityName == "Dog")
    #expect(dog.home?.persistentModelID.entityName == "AnimalHome")
    #expect(dog.breed == "Lab")
  }

  @Test("inherited properties are observed")
  func observation() {
    let puppy = Puppy(weeks: 1)
    let changes = Counter()
    withObservationTracking {
      _ = puppy.breed
      _ = puppy.name
    } onChange: {
      changes.count()
    }
    puppy.weeks = 2
    #expect(changes.value == 0)
    puppy.name = "Q"
    #expect(changes.value == 1)
  }

  @Test("generic code uses a submodel by the type of its root")
  func generics() {
    func backing<Model: PersistentModel>(of model: Model) -> any BackingData<Model> {
      model.persistentBackingData
    }
    let dog = Dog(name: "Rex", breed: "Lab")
    #expect(backing(of: dog).getValue(forKey: \.name) == "Rex")
    #expect(Dog.Root.self == Animal.self)
  }

  @Test("a submodel is saved, and fetched as itself and as its root")
  func saving() throws {
    let container = try ModelContainer(
      for: Animal.self, Dog.self, Puppy.self, AnimalHome.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let home = AnimalHome()
    context.insert(Dog(name: "Rex", breed: "Lab", home: home))
    context.insert(Puppy(weeks: 3))
    context.insert(Animal(name: "Tom"))
    try context.save()
    let other = ModelContext(container)
    let dogs = try other.fetch(FetchDescriptor<Dog>())
    #expect(Set(dogs.map(\.name)) == ["Rex", "pup"])
    #expect(dogs.contains { ($0 as? Puppy)?.weeks == 3 })
    #expect(dogs.first { $0.name == "Rex" }?.home != nil)
    #expect(try other.fetchCount(FetchDescriptor<Animal>()) == 3)
  }
}
