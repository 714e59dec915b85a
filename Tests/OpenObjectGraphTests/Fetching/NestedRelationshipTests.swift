import Foundation
import OpenCoreData
import Testing

/// Conditions on key paths with two to-many relationships.
@Suite("Key paths with several to-many relationships")
struct NestedRelationshipTests {
  private static func makeModel() -> NSManagedObjectModel {
    let dept = entity("Dept", [attribute("name", .string)])
    let person = entity("Person", [attribute("tags", .transformable)])
    let task = entity("Task", [attribute("title", .string), attribute("cost", .integer64)])
    relate(dept, "staff", person, "dept")
    relate(person, "tasks", task, "person")
    relate(person, "fans", person, "friend")
    let model = NSManagedObjectModel()
    model.entities = [dept, person, task]
    return model
  }

  private static func entity(
    _ name: String, _ properties: [NSPropertyDescription]
  ) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = properties
    return entity
  }

  private static func relate(
    _ owner: NSEntityDescription, _ name: String, _ member: NSEntityDescription, _ inverse: String
  ) {
    let (many, one) = (NSRelationshipDescription(), NSRelationshipDescription())
    (many.name, one.name) = (name, inverse)
    (many.destinationEntity, one.destinationEntity) = (member, owner)
    (many.maxCount, one.maxCount) = (0, 1)
    (many.isOptional, one.isOptional) = (true, true)
    (many.inverseRelationship, one.inverseRelationship) = (one, many)
    owner.properties.append(many)
    member.properties.append(one)
  }

  /// The departments d, with a person who has three tasks, and e, without tasks; each department
  /// has two persons. In d, one person has the other as a friend, who has three tags.
  private static func insert(into context: NSManagedObjectContext) -> [NSManagedObject] {
    func make(_ entity: String) -> NSManagedObject {
      NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    }
    return ["d", "e"].map { name in
      let dept = make("Dept")
      dept.setValue(name, forKey: "name")
      let staff = [make("Person"), make("Person")]
      for person in staff { person.setValue(dept, forKey: "dept") }
      if name == "d" {
        staff[1].setValue(staff[0], forKey: "friend")
        staff[0].setValue(NSSet(array: ["a", "b", "c"]), forKey: "tags")
      }
      for number in 0..<(name == "d" ? 3 : 0) {
        let task = make("Task")
        task.setValue("t\(number)", forKey: "title")
        task.setValue(number, forKey: "cost")
        task.setValue(staff[0], forKey: "person")
      }
      return dept
    }
  }

  private func run(
    _ type: String, _ body: (NSManagedObjectContext, [NSManagedObject]) throws -> Void
  ) throws {
    let container = try NSPersistentContainer.loaded(
      "Depts", Self.makeModel(), [NSPersistentStoreDescription(type: type)])
    let context = container.newBackgroundContext()
    try context.performAndWait { () throws in
      let depts = Self.insert(into: context)
      context.processPendingChanges()
      try body(context, depts)
      try context.save()
      try body(context, depts)
    }
  }

  private func names(_ format: String, _ context: NSManagedObjectContext) throws -> String {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Dept")
    request.predicate = NSPredicate(format: format)
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    return FetchingStack.names(of: try context.fetch(request))
  }

  @Test(
    "subqueries, statistics and IN read the destinations of all relationships, in fetches and in evaluation",
    arguments: FetchingModel.stores)
  func destinations(type: String) throws {
    try run(type) { (context, depts) throws in
      for (format, wanted) in [
        ("SUBQUERY(staff.tasks, $k, $k.cost > 1).@count > 0", "d"),
        ("SUBQUERY(staff.tasks, $k, $k.cost > 1).@count == 0", "e"),
        ("SUBQUERY(staff.tasks, $k, $k.cost > 0).@count == 2", "d"),
        ("staff.tasks.@count == 3", "d"), ("count:(staff.tasks) == 3", "d"),
        ("staff.tasks[SIZE] == 0", "e"), ("staff.tasks.@sum.cost == 3", "d"),
        ("staff.@sum.tasks.cost == 3", "d"), ("staff.tasks.cost.@max == 2", "d"),
        ("staff.tasks.@avg.cost == 1", "d"), ("ANY staff.tasks.cost > 1", "d"),
        ("'t0' IN staff.tasks.title", "d"), ("NOT 't0' IN staff.tasks.title", "e"),
      ] {
        try expect(wanted, format, context, depts)
      }
      // As for one relationship, a fetch treats the sum of no values as nil.
      #expect(try names("staff.tasks.@sum.cost == nil", context) == "e")
    }
  }

  @Test(
    "an object without a to-one destination has none of the destination's members, in fetches and in evaluation",
    arguments: FetchingModel.stores)
  func absentOwners(type: String) throws {
    try run(type) { (context, depts) throws in
      for (format, wanted) in [
        ("staff.friend.tasks.@count == 3", "d"), ("staff.friend.tasks.@count == 0", "e"),
        ("count:(staff.friend.tasks) == 0", "e"), ("staff.friend.@count == 2", "de"),
        ("SUBQUERY(staff.friend.tasks, $k, $k.cost == nil).@count == 0", "de"),
        ("ALL staff.friend.tasks.cost < 9", "de"), ("ALL staff.friend.tasks.cost < 2", "e"),
      ] {
        try expect(wanted, format, context, depts)
      }
    }
  }

  @Test(
    "a set in a transformable attribute is one value of its object, not a relationship",
    arguments: FetchingModel.stores)
  func transformableSets(type: String) throws {
    try run(type) { (context, depts) throws in
      try expect("de", "staff.tags.@count == 2", context, depts)
      let persons = NSFetchRequest<NSManagedObject>(entityName: "Person")
      let owner = try #require(depts.first?.value(forKeyPath: "staff.friend") as? NSSet)
      let person = try #require(owner.anyObject() as? NSManagedObject)
      persons.predicate = NSPredicate(format: "tags.@count == 3 AND ANY tags == 'b'")
      #expect(try context.fetch(persons) == [person])
      person.setValue(NSSet(), forKey: "tags")
      persons.predicate = NSPredicate(format: "tags.@sum == 0")
      #expect(try context.fetch(persons) == [person])
      #expect(persons.predicate?.evaluate(with: person) == true)
      person.setValue(NSSet(array: ["a", "b", "c"]), forKey: "tags")
    }
  }

  private func expect(
    _ wanted: String, _ format: String, _ context: NSManagedObjectContext,
    _ depts: [NSManagedObject]
  ) throws {
    #expect(try names(format, context) == wanted, "\(format)")
    let predicate = NSPredicate(format: format)
    let evaluated = depts.filter { predicate.evaluate(with: $0) }
    #expect(FetchingStack.names(of: evaluated) == wanted, "\(format) evaluated")
  }
}
