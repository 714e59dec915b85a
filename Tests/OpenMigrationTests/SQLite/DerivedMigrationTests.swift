import Foundation
import OpenCoreData
import OpenMigration
import OpenObjectGraph
import OpenObjectModel
import OpenPersistenceKit
import OpenPredicates
import OpenStoreContract
import Testing
import class OpenPredicates.NSExpression

@Suite("Derived attributes and R-trees of migrated stores")
struct DerivedMigrationTests {
  private func library(
    isNew: Bool, latitude: String = "latitude", _ derivations: [(String, String)]
  ) -> NSManagedObjectModel {
    Models.make { models in
      let author = models.entity("Author").attribute("name")
      let book = models.entity("Book").attribute("title").attribute("pages", .integer64)
        .relationship("author", to: author)
      author.relationship("books", to: book, isToMany: true)
      book.relationshipsByName["author"]?.inverseRelationship = author.relationshipsByName["books"]
      author.relationshipsByName["books"]?.inverseRelationship = book.relationshipsByName["author"]
      book.attribute(latitude, .double, renaming: isNew ? "latitude" : nil)
        .attribute("longitude", .double)
      for (path, expression) in derivations {
        let parts = path.split(separator: ".").map(String.init)
        let derived = NSDerivedAttributeDescription()
        derived.name = parts[1]
        derived.attributeType =
          parts[0] == "Author" ? .integer64AttributeType : .stringAttributeType
        derived.derivationExpression =
          expression.contains("(")
          ? NSExpression(format: expression) : NSExpression(forKeyPath: expression)
        (parts[0] == "Author" ? author : book).properties.append(derived)
      }
      book.indexes = [
        NSFetchIndexDescription(
          name: "byPlace",
          elements: [latitude, "longitude"].compactMap { name in
            book.propertiesByName[name].map {
              NSFetchIndexElementDescription(property: $0, collationType: .rTree)
            }
          })
      ]
    }
  }

  private func fill(_ store: MigratedStore, _ model: NSManagedObjectModel) throws {
    try store.withContext(model) { context in
      let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
      author.setValue("Jane", forKey: "name")
      for (number, title) in ["Emma", "Persuasion"].enumerated() {
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue(title, forKey: "title")
        book.setValue(100 + number, forKey: "pages")
        book.setValue(author, forKey: "author")
        book.setValue(Double(number), forKey: "latitude")
        book.setValue(7.5, forKey: "longitude")
      }
      try context.save()
    }
  }

  @Test(
    "new derived attributes are computed for all rows, and then kept up to date",
    arguments: SQLiteMigrationTests.ways)
  func computed(_ way: StoreMigrationPlan.Way) throws {
    let store = try MigratedStore()
    let old = library(isNew: false, [])
    let new = library(
      isNew: true,
      [
        ("Book.authorName", "author.name"), ("Book.shouted", "uppercase:(title)"),
        ("Author.bookCount", "books.@count"), ("Author.pageCount", "books.@sum.pages"),
      ])
    try fill(store, old)
    try store.migrate(old, new, by: way)
    let books = "SELECT ZAUTHORNAME, ZSHOUTED FROM ZBOOK ORDER BY Z_PK"
    let authors = "SELECT ZBOOKCOUNT, ZPAGECOUNT FROM ZAUTHOR"
    #expect(try store.sqlite(books).sorted() == ["Jane|EMMA", "Jane|PERSUASION"])
    #expect(try store.sqlite(authors) == ["2|201"])
    try store.withContext(new) { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.predicate = NSPredicate(format: "title == 'Emma'")
      try context.fetch(request).forEach { context.delete($0) }
      try context.save()
    }
    #expect(
      try store.sqlite(authors) == ["1|\(try store.sqlite("SELECT sum(ZPAGES) FROM ZBOOK")[0])"])
    #expect(try store.schema() == store.newSchema(new))
    #expect(try store.damage(new) == [])
  }

  @Test(
    "a new derived attribute is computed after the derived attribute from which it is copied",
    arguments: SQLiteMigrationTests.ways)
  func chain(_ way: StoreMigrationPlan.Way) throws {
    let store = try MigratedStore()
    let old = library(isNew: false, [])
    let new = library(
      isNew: true, [("Book.echo", "shouted"), ("Book.shouted", "uppercase:(title)")])
    try fill(store, old)
    try store.migrate(old, new, by: way)
    let books = try store.sqlite("SELECT ZECHO, ZSHOUTED FROM ZBOOK")
    #expect(books.sorted() == ["EMMA|EMMA", "PERSUASION|PERSUASION"])
  }

  @Test(
    "a derived attribute is computed again if the derivation of its source changes",
    arguments: SQLiteMigrationTests.ways)
  func changedSource(_ way: StoreMigrationPlan.Way) throws {
    let store = try MigratedStore()
    func version(isNew: Bool, _ shouted: String) -> NSManagedObjectModel {
      library(isNew: isNew, [("Book.echo", "shouted"), ("Book.shouted", shouted)])
    }
    let old = version(isNew: false, "uppercase:(title)")
    let new = version(isNew: true, "lowercase:(title)")
    try fill(store, old)
    try store.migrate(old, new, by: way)
    let books = try store.sqlite("SELECT ZECHO, ZSHOUTED FROM ZBOOK")
    #expect(books.sorted() == ["emma|emma", "persuasion|persuasion"])
  }

  /// Two entities whose rows lead to several of the other one, and a count of one side.
  private func groups(
    _ inverses: (NSRelationshipDescription, NSRelationshipDescription) -> Void
  ) -> NSManagedObjectModel {
    Models.make { models in
      let person = models.entity("Person").attribute("name")
      let group = models.entity("Group").attribute("name")
      person.relationship("groups", to: group, isToMany: true)
      group.relationship("members", to: person, isToMany: true)
      if let groups = person.relationshipsByName["groups"],
        let members = group.relationshipsByName["members"]
      {
        inverses(groups, members)
      }
      let count = NSDerivedAttributeDescription()
      count.name = "memberCount"
      count.attributeType = .integer64AttributeType
      count.derivationExpression = NSExpression(forKeyPath: "members.@count")
      group.properties.append(count)
    }
  }

  private func counts(_ model: NSManagedObjectModel, in store: MigratedStore) throws -> [String] {
    try store.withContext(model) { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Group")
      request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
      return try context.fetch(request).map { group in
        let members = group.value(forKey: "members") as? Set<NSManagedObject> ?? []
        return "\(group.value(forKey: "memberCount") ?? "nil") of \(members.count)"
      }
    }
  }

  @Test("a count is recomputed if a relationship loses its inverse and members lose their owners")
  func lostInverse() throws {
    let store = try MigratedStore()
    let old = groups { groups, members in
      (groups.inverseRelationship, members.inverseRelationship) = (members, groups)
    }
    let new = groups { _, _ in }
    try store.withContext(old) { context in
      let people = ["Ann", "Ben"].map { context.insert("Person", ["name": $0]) }
      for name in ["A", "B"] {
        context.insert("Group", ["name": name]).setValue(NSSet(array: people), forKey: "members")
      }
      try context.save()
    }
    #expect(try counts(old, in: store) == ["2 of 2", "2 of 2"])
    try store.migrate(old, new)
    let counted = try counts(new, in: store)
    #expect(Set(counted) == ["2 of 2", "0 of 0"])
    #expect(try store.damage(new) == [])
  }

  @Test("a count is recomputed if a relationship gains members from its new inverse")
  func mergedRelationships() throws {
    let store = try MigratedStore()
    let old = groups { _, _ in }
    let new = groups { groups, members in
      (groups.inverseRelationship, members.inverseRelationship) = (members, groups)
    }
    try store.withContext(old) { context in
      let (ann, ben) = (
        context.insert("Person", ["name": "Ann"]), context.insert("Person", ["name": "Ben"])
      )
      let group = context.insert("Group", ["name": "A"])
      group.setValue(NSSet(array: [ann]), forKey: "members")
      ben.setValue(NSSet(array: [group]), forKey: "groups")
      try context.save()
    }
    #expect(try counts(old, in: store) == ["1 of 1"])
    try store.migrate(old, new)
    #expect(try counts(new, in: store) == ["2 of 2"])
    #expect(try store.damage(new) == [])
  }

  @Test("a version whose computed values the next version stores is not skipped")
  func storedComputedValues() throws {
    let store = try MigratedStore()
    let first = library(isNew: false, [])
    let middle = library(isNew: false, [("Author.bookCount", "books.@count")])
    let last = library(isNew: false, [])
    last.entitiesByName["Author"]?.attribute("bookCount", .integer64)
    try fill(store, first)
    let versions = [
      StoreMigration.Version("1", first), StoreMigration.Version("2", middle),
      StoreMigration.Version("3", last),
    ]
    try StoreMigration(storeAt: store.file, versions: versions).run()
    #expect(try store.sqlite("SELECT ZBOOKCOUNT FROM ZAUTHOR") == ["2"])
    #expect(!ModelTransition.canSkip([middle], from: first, to: last))
  }

  @Test(
    "R-trees have all rows, whether they stay or are recreated",
    arguments: SQLiteMigrationTests.ways)
  func spatial(_ way: StoreMigrationPlan.Way) throws {
    let store = try MigratedStore()
    let old = library(isNew: false, [])
    let (middle, new) = (
      library(isNew: false, [("Book.shouted", "uppercase:(title)")]),
      library(isNew: true, latitude: "north", [])
    )
    try fill(store, old)
    let rows = {
      try store.sqlite(
        "SELECT count(*) FROM Z_RT_Book_byPlace WHERE Z_PK IN (SELECT Z_PK FROM ZBOOK)")
    }
    #expect(try rows() == ["2"])
    try store.migrate(old, middle, by: way)
    #expect(try rows() == ["2"])
    #expect(try store.schema() == store.newSchema(middle))
    try store.migrate(middle, new, by: way)
    #expect(try rows() == ["2"])
    #expect(try store.schema() == store.newSchema(new))
    try store.withContext(new) { context in
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      book.setValue(3.0, forKey: "north")
      book.setValue(3.0, forKey: "longitude")
      try context.save()
    }
    #expect(try rows() == ["3"])
  }
}
