import CoreData
import Foundation
import Leaves
import Testing

/// A class of the model whose superclass is in a source of the target that is not rewritten.
@MainActor @Suite struct LeafTests {
  @Test("hooks, validators and properties in extensions of the class are found")
  func members() throws {
    let container = NSPersistentContainer(name: "Leaves")
    let description = NSPersistentStoreDescription()
    description.type = NSInMemoryStoreType
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    #expect(failure == nil)
    let context = container.viewContext
    let leaf = Leaf(context: context)
    #expect(leaf.title == "Untitled")
    #expect(leaf.value(forKey: "initial") as? String == "U")
    leaf.note = "n"
    leaf.title = "?"
    #expect(throws: NSError(domain: "Leaf", code: 1)) { try context.save() }
    leaf.title = "Oak"
    try context.save()
  }
}
