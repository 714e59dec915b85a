import Foundation
import OpenCoreData
import Testing

@Suite("Transient relationships")
struct TransientRelationshipTests {
  /// A context of nodes with a transient to-many relationship.
  private func context(_ type: String, hasInverse: Bool) throws -> NSManagedObjectContext {
    let node = NSEntityDescription()
    node.name = "Node"
    let peers = relationship("peers", to: node, 0)
    node.properties = [attribute("name", .string), peers]
    if hasInverse {
      let host = relationship("host", to: node, 1)
      host.inverseRelationship = peers
      peers.inverseRelationship = host
      node.properties.append(host)
    }
    let model = NSManagedObjectModel()
    model.entities = [node]
    let store = NSPersistentStoreDescription(type: type)
    return try NSPersistentContainer.loaded("Nodes", model, [store]).newBackgroundContext()
  }

  private func relationship(
    _ name: String, to destination: NSEntityDescription, _ maxCount: Int
  ) -> NSRelationshipDescription {
    let made = NSRelationshipDescription()
    (made.name, made.destinationEntity, made.maxCount) = (name, destination, maxCount)
    made.isTransient = true
    return made
  }

  @Test(
    "the members of a transient relationship are neither saved nor persistent values",
    arguments: StoreTypes.both, [false, true])
  func members(_ type: String, hasInverse: Bool) throws {
    let context = try context(type, hasInverse: hasInverse)
    try context.performAndWait { () throws in
      let nodes = (0..<2).map { _ in
        NSEntityDescription.insertNewObject(forEntityName: "Node", into: context)
      }
      try context.save()
      nodes[0].setValue(NSSet(array: [nodes[1]]), forKey: "peers")
      #expect(nodes[0].related("peers") == [nodes[1]])
      #expect(nodes[0].changedValues().isEmpty && !nodes[0].hasPersistentChangedValues)
      #expect(nodes[0].changedValuesForCurrentEvent().isEmpty)
      #expect(nodes[0].committedValues(forKeys: nil).keys.sorted() == ["name"])
      try context.save()
      context.refreshAllObjects()
      #expect(!nodes[0].hasFault(forRelationshipNamed: "peers"))
      #expect(nodes[0].related("peers").isEmpty)
      context.delete(nodes[0])
      try context.save()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Node")
      request.relationshipKeyPathsForPrefetching = ["peers"]
      #expect(try context.fetch(request) == [nodes[1]])
    }
  }

  @Test("restoring a deleted object keeps the saved members of a transient relationship")
  func restoredObject() throws {
    let context = try context(NSInMemoryStoreType, hasInverse: false)
    try context.performAndWait { () throws in
      let nodes = (0..<3).map { _ in
        NSEntityDescription.insertNewObject(forEntityName: "Node", into: context)
      }
      try context.save()
      nodes[0].setValue(NSSet(array: [nodes[1]]), forKey: "peers")
      try context.save()
      context.delete(nodes[2])
      context.processPendingChanges()
      context.insert(nodes[2])
      #expect(nodes[0].related("peers") == [nodes[1]])
    }
  }
}
