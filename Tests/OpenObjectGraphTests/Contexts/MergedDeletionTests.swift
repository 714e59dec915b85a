import Foundation
import OpenCoreData
import OpenObjectGraph
import Testing

/// The effect of merged deletions on loaded lists, and its cost.
@Suite("Merged deletions")
struct MergedDeletionTests {
  /// A coordinator of the undo model's nodes, tags and items.
  private func contexts(_ type: String) throws -> (NSManagedObjectContext, NSManagedObjectContext) {
    let reader = try UndoModel.context(type)
    reader.automaticallyMergesChangesFromParent = true
    let writer = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    writer.persistentStoreCoordinator = reader.persistentStoreCoordinator
    return (reader, writer)
  }

  private func objects(
    _ entity: String, in context: NSManagedObjectContext
  ) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
    return try context.fetch(request)
  }

  private func names(_ object: NSManagedObject, _ key: String) -> [String] {
    (object.value(forKey: key) as? NSSet ?? NSSet()).allObjects
      .compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }.sorted()
  }

  /// Saves nodes with children, one mark for each node, and tags that all nodes share.
  private func fill(_ writer: NSManagedObjectContext, nodes: Int) throws {
    try writer.performAndWait { () throws in
      let tags = (0..<3).map { UndoModel.insert("Tag", "t\($0)", code: $0, in: writer) }
      for number in 0..<nodes {
        let node = UndoModel.insert("Node", "n\(number)", code: number, in: writer)
        node.setValue(Set(tags), forKey: "tags")
        let marks = (0..<3).map { UndoModel.insert("Tag", "m\($0)", code: 100 + $0, in: writer) }
        node.setValue(Set(marks), forKey: "marks")
        for child in 0..<2 {
          UndoModel.insert("Node", "c\(child)", code: 1000 + child, in: writer)
            .setValue(node, forKey: "parent")
        }
      }
      try writer.save()
    }
  }

  private func delete(
    _ name: String, _ entity: String, in writer: NSManagedObjectContext
  ) throws {
    try writer.performAndWait { () throws in
      for object in try objects(entity, in: writer)
      where object.value(forKey: "name") as? String == name {
        writer.delete(object)
      }
      try writer.save()
    }
  }

  @Test(
    "deleted members leave loaded lists of every kind, also members that were never read",
    arguments: UndoModel.stores, [true, false])
  func lists(_ type: String, isRead: Bool) throws {
    let (reader, writer) = try contexts(type)
    try fill(writer, nodes: 2)
    let nodes = try reader.performAndWait { () throws in
      let nodes = try Array(objects("Node", in: reader).prefix(2))
      for node in nodes {
        for key in ["children", "tags", "marks"] {
          #expect((node.value(forKey: key) as? NSSet)?.count == (key == "children" ? 2 : 3))
          if isRead { _ = names(node, key) }
        }
      }
      return nodes
    }
    try delete("t1", "Tag", in: writer)
    try delete("m1", "Tag", in: writer)
    try delete("c1", "Node", in: writer)
    reader.performAndWait {
      for node in nodes {
        #expect(names(node, "tags") == ["t0", "t2"])
        #expect(names(node, "marks") == ["m0", "m2"])
        #expect(names(node, "children") == ["c0"])
      }
    }
  }

  @Test("a list that was set on a new object follows the deletion of its members")
  func listsOfSavedObjects() throws {
    let (reader, writer) = try contexts(NSSQLiteStoreType)
    let node = try reader.performAndWait { () throws in
      let node = UndoModel.insert("Node", "n", in: reader)
      let tags = (0..<3).map { UndoModel.insert("Tag", "t\($0)", code: $0, in: reader) }
      #expect(names(node, "marks") == [])
      node.setValue(Set(tags), forKey: "tags")
      node.setValue(Set(tags), forKey: "marks")
      try reader.save()
      return node
    }
    try delete("t1", "Tag", in: writer)
    reader.performAndWait {
      #expect(names(node, "tags") == ["t0", "t2"])
      #expect(names(node, "marks") == ["t0", "t2"])
    }
  }

  @Test("an unsaved member without inverse is dropped when its object is deleted")
  func unsavedMembers() throws {
    let (reader, writer) = try contexts(NSSQLiteStoreType)
    try fill(writer, nodes: 1)
    let (saved, new) = try reader.performAndWait { () throws in
      let saved = try #require(try objects("Node", in: reader).first)
      let new = UndoModel.insert("Node", "new", in: reader)
      let tags = try objects("Tag", in: reader)
      saved.setValue(Set([tags[0]]), forKey: "marks")
      new.setValue(Set([tags[1]]), forKey: "marks")
      return (saved, new)
    }
    try delete("t0", "Tag", in: writer)
    try delete("t1", "Tag", in: writer)
    try reader.performAndWait { () throws in
      #expect(names(saved, "marks") == [])
      #expect(names(new, "marks") == [])
      try reader.save()
    }
  }

  @Test("a merged deletion examines only loaded lists that may contain the object")
  func cost() throws {
    let (reader, writer) = try contexts(NSSQLiteStoreType)
    try fill(writer, nodes: 50)
    let seen = try reader.performAndWait { () throws in
      let seen = try objects("Node", in: reader) + objects("Tag", in: reader)
      for object in seen { #expect(object.value(forKey: "name") != nil) }
      return seen
    }
    #expect(seen.count == 303)
    // The tag and the nodes have to-many relationships; no list is loaded.
    try delete("t0", "Tag", in: writer)
    try delete("n0", "Node", in: writer)
    reader.performAndWait { #expect(reader.visitedListCount == 0) }
    // The members of lists of children are in rows that were read; three nodes have loaded their tags.
    let nodes = seen.filter { ($0.value(forKey: "code") as? Int ?? 0) < 1000 && !$0.isDeleted }
    reader.performAndWait {
      for node in nodes { _ = names(node, "children") }
      for node in nodes.filter({ $0.entity.name == "Node" }).prefix(3) { _ = names(node, "tags") }
    }
    try delete("n1", "Node", in: writer)
    reader.performAndWait { #expect(reader.visitedListCount == 0) }
    try delete("t1", "Tag", in: writer)
    reader.performAndWait { #expect(reader.visitedListCount == 3) }
  }

  @Test("a merged deletion is not validated, because the save writes nothing for it")
  func deniedDeletion() throws {
    let model = UndoModel.make()
    model.entitiesByName["Item"]?.relationshipsByName["owner"]?.deleteRule = .denyDeleteRule
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    reader.persistentStoreCoordinator = coordinator
    reader.automaticallyMergesChangesFromParent = true
    let writer = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    writer.persistentStoreCoordinator = coordinator
    try writer.performAndWait { () throws in
      let node = UndoModel.insert("Node", "owner", in: writer)
      UndoModel.insert("Item", "item", in: writer).setValue(node, forKey: "owner")
      try writer.save()
    }
    let loaded = try reader.performAndWait {
      let item = try #require(try objects("Item", in: reader).first)
      #expect((item.value(forKey: "owner") as? NSManagedObject)?.value(forKey: "name") != nil)
      return [item]
    }
    try writer.performAndWait { () throws in
      let item = try #require(try objects("Item", in: writer).first)
      item.setValue(nil, forKey: "owner")
      writer.delete(item)
      try writer.save()
    }
    try reader.performAndWait { () throws in
      _ = UndoModel.insert("Tag", "new", in: reader)
      try reader.save()
      #expect(try objects("Item", in: reader).isEmpty)
    }
    withExtendedLifetime(loaded) {}
  }
}
