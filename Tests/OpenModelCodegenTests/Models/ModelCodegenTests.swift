import Foundation
import OpenModelCodegen
import OpenSourceRewriter
import Testing

/// The text of whole classes.
@Suite struct ModelCodegenTests {
  @Test("an entity set to class gets a class, a request, properties and accessors, sorted by name")
  func classEntity() throws {
    let model = try ModelOnDisk(
      entity(
        "Shelf", "",
        """
        <attribute name="name" optional="YES" attributeType="String"/>
        <attribute name="count" attributeType="Integer 16" usesScalarValueType="YES"/>
        """ + relationship("items", to: "Shelf", "toMany=\"YES\"")
          + relationship("above", to: "Shelf")))
    #expect(
      try model.source() == """
        // Generated from the model Library. Changes are lost when the model is built again.

        public import CoreData

        @ManagedObject("Shelf")
        nonisolated public class Shelf: NSManagedObject {}

        extension Shelf {
          public class func fetchRequest() -> NSFetchRequest<Shelf> {
            NSFetchRequest<Shelf>(entityName: "Shelf")
          }

          @Managed public var count: Int16
          @Managed public var name: String?
          @Managed public var above: Shelf?
          @Managed public var items: NSSet?
        }

        // MARK: Accessors of items

        extension Shelf {
          @ManagedAccessor public func addToItems(_ value: Shelf)
          @ManagedAccessor public func removeFromItems(_ value: Shelf)
          @ManagedAccessor public func addToItems(_ values: NSSet)
          @ManagedAccessor public func removeFromItems(_ values: NSSet)
        }

        extension Shelf: Identifiable {}

        """)
  }

  @Test("an entity set to category gets extensions only; ordered relationships have positions")
  func categoryEntity() throws {
    let model = try ModelOnDisk(
      entity(
        "Book", "codeGenerationType=\"category\"",
        relationship("chapters", to: "Book", "toMany=\"YES\" ordered=\"YES\"")))
    #expect(
      try model.source() == """
        // Generated from the model Library. Changes are lost when the model is built again.

        public import CoreData

        extension Book {
          public class func fetchRequest() -> NSFetchRequest<Book> {
            NSFetchRequest<Book>(entityName: "Book")
          }

          @Managed public var chapters: NSOrderedSet?
        }

        // MARK: Accessors of chapters

        extension Book {
          @ManagedAccessor public func insertIntoChapters(_ value: Book, at idx: Int)
          @ManagedAccessor public func removeFromChapters(at idx: Int)
          @ManagedAccessor public func insertIntoChapters(_ values: [Book], at indexes: NSIndexSet)
          @ManagedAccessor public func removeFromChapters(at indexes: NSIndexSet)
          @ManagedAccessor public func replaceChapters(at idx: Int, with value: Book)
          @ManagedAccessor public func replaceChapters(at indexes: NSIndexSet, with values: [Book])
          @ManagedAccessor public func addToChapters(_ value: Book)
          @ManagedAccessor public func removeFromChapters(_ value: Book)
          @ManagedAccessor public func addToChapters(_ values: NSOrderedSet)
          @ManagedAccessor public func removeFromChapters(_ values: NSOrderedSet)
        }

        extension Book: Identifiable {}

        """)
  }

  @Test("entities set to manual get no source unless all entities are requested")
  func manualEntity() throws {
    let model = try ModelOnDisk(
      entity("Book", "codeGenerationType=\"\"") + entity("Plain", "representedClassName=\"\""))
    #expect(
      try model.source() == """
        // Generated from the model Library. Changes are lost when the model is built again.
        // Source is not generated for any entity of the model.

        """)
    let all = try model.source(.all)
    #expect(all.contains("public class Book: NSManagedObject {}"))
    #expect(!all.contains("Plain"))
  }

  @Test("an entity inherits from its parent's class and leaves Identifiable to it")
  func inheritance() throws {
    let model = try ModelOnDisk(
      entity("Book", "parentEntity=\"Item\"") + entity("Item", "isAbstract=\"YES\"")
        + entity("Log", "parentEntity=\"Plain\"") + entity("Plain", "representedClassName=\"\""))
    let source = try model.source()
    #expect(source.contains("public class Book: Item {}"))
    #expect(source.contains("public class Log: NSManagedObject {}"))
    #expect(source.contains("extension Item: Identifiable {}"))
    #expect(!source.contains("extension Book: Identifiable {}"))
  }

  @Test("modules before class names are omitted", arguments: [".Record", "Library.Record"])
  func modules(_ className: String) throws {
    let model = try ModelOnDisk(entity("Book", "representedClassName=\"\(className)\""))
    let source = try model.source()
    #expect(
      source.contains(
        "@ManagedObject(\"Record\")\nnonisolated public class Record: NSManagedObject {}"))
    #expect(source.contains("NSFetchRequest<Record>(entityName: \"Book\")"))
  }

  @Test("the order of a document does not change the text")
  func order() throws {
    let entities = ["C", "A", "B"].map { entity($0) }
    let forwards = try ModelOnDisk(entities.joined()).source()
    #expect(try ModelOnDisk(entities.reversed().joined()).source() == forwards)
  }

  @Test("the current version is used")
  func versions() throws {
    let versions = ["One": entity("Old"), "Two": entity("New")]
    #expect(try ModelOnDisk(versions, current: "One").source().contains("class Old"))
    #expect(try ModelOnDisk(versions, current: "Two").source().contains("class New"))
    let failure = try ModelOnDisk(versions).failure
    #expect(failure?.code == .unreadableModel)
    #expect(try ModelOnDisk(versions, current: "Three").failure?.code == .unreadableModel)
    let damaged = try ModelOnDisk(["Library": entity("Old"), "Library 2": entity("New")])
    try Data("<<<<<<< HEAD".utf8).write(to: damaged.url.appendingPathComponent(".xccurrentversion"))
    #expect(damaged.failure?.code == .unreadableModel)
  }
}
