import Foundation
import OpenCoreData
import OpenManagedMacros
import OpenObjectModel
import Testing

/// A class with the same name as a class in another test module.
@ManagedObject
final class SharedNameItem: NSManagedObject {}

/// A private class, whose full name contains an address.
@ManagedObject
private final class HiddenNameItem: NSManagedObject {}

/// Types that each contain a class with the same name.
enum FirstDrawer {
  @ManagedObject
  final class DrawerItem: NSManagedObject {
    @Managed var text: String?
  }
}

enum SecondDrawer {
  @ManagedObject
  final class DrawerItem: NSManagedObject {
    @Managed var text: String?
  }
}

enum OpenDrawer {
  @ManagedObject
  final class LooseItem: NSManagedObject {}
}

enum ShutDrawer {
  @ManagedObject
  final class LooseItem: NSManagedObject {}
}

@Suite("Names of classes in models")
struct ClassNameTests {
  private static func coordinator(_ classNames: String...) -> NSPersistentStoreCoordinator {
    let model = NSManagedObjectModel()
    model.entities = classNames.enumerated().map { number, name in
      let entity = NSEntityDescription()
      entity.name = "Item\(number)"
      entity.managedObjectClassName = name
      entity.properties = [attribute("text", .string)]
      return entity
    }
    return NSPersistentStoreCoordinator(managedObjectModel: model)
  }

  private static func context(_ classNames: String...) throws -> NSManagedObjectContext {
    let coordinator = coordinator(classNames[0], classNames.count > 1 ? classNames[1] : "")
    try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  @Test(
    "a name that two classes share is an error of the model, which names both",
    arguments: [
      ("DrawerItem", ["FirstDrawer.DrawerItem", "SecondDrawer.DrawerItem"]),
      (
        "SharedNameItem",
        ["OpenObjectGraphTests.SharedNameItem", "OpenPersistenceKitTests.SharedNameItem"]
      ),
    ])
  func ambiguous(name: String, candidates: [String]) throws {
    let coordinator = Self.coordinator(name)
    let error = try #require(throws: CocoaError.self) {
      try coordinator.addPersistentStore(
        ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    }
    let cause = try #require(error.userInfo["OpenModelError"] as? ModelError)
    #expect(cause.code == .ambiguousClass)
    #expect(cause.entityName == "Item0")
    for candidate in candidates { #expect(cause.message.contains(candidate)) }
  }

  @Test("a module or enclosing type in the name selects among classes with the same name")
  func qualified() throws {
    let context = try Self.context("FirstDrawer.DrawerItem", "SecondDrawer.DrawerItem")
    try context.performAndWait {
      let first = FirstDrawer.DrawerItem(context: context)
      let second = SecondDrawer.DrawerItem(context: context)
      #expect(first.entity.name == "Item0" && second.entity.name == "Item1")
      try context.save()
      let fetched = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item1"))
      #expect(fetched.first is SecondDrawer.DrawerItem)
      #expect(SecondDrawer.DrawerItem.fetchRequest().entityName == "Item1")
      #expect(FirstDrawer.DrawerItem.fetchRequest().entityName == "Item0")
    }
    let other = try Self.context("OpenObjectGraphTests.SharedNameItem")
    other.performAndWait {
      let item = NSEntityDescription.insertNewObject(forEntityName: "Item0", into: other)
      #expect(item is SharedNameItem)
    }
  }

  @Test("a class is not confused with another class of the same name")
  func foreignClass() throws {
    let context = try Self.context("ShutDrawer.LooseItem")
    context.performAndWait {
      let item = OpenDrawer.LooseItem(context: context)
      #expect(item.entity.name != "Item0")
      #expect(throws: (any Error).self) { try context.save() }
    }
  }

  @Test("NSStringFromClass returns the name of a class without its module (D-445)")
  func stringFromClass() throws {
    #expect(NSStringFromClass(SharedNameItem.self) == "SharedNameItem")
    let nested = NSStringFromClass(FirstDrawer.DrawerItem.self)
    #expect(nested == "OpenObjectGraphTests.FirstDrawer.DrawerItem")
    #expect(NSStringFromClass(HiddenNameItem.self) == "HiddenNameItem")
    let context = try Self.context(nested)
    try context.performAndWait {
      let item = NSEntityDescription.insertNewObject(forEntityName: "Item0", into: context)
      #expect(item is FirstDrawer.DrawerItem)
      try context.save()
    }
  }
}
