import CoreData
import Foundation
import Testing

/// Tests that each class that applications subclass calls the overrides of its subclasses.
@Suite("Subclasses of the framework's classes")
struct SubclassTests {
  private func loaded(_ container: ProjectContainer) throws -> ProjectContainer {
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    return container
  }

  private func inserted(_ title: String, _ context: NSManagedObjectContext) -> NSManagedObject {
    let project = NSEntityDescription.insertNewObject(forEntityName: "Project", into: context)
    project.setValue(title, forKey: "title")
    return project
  }

  @Test("a container's overrides are called, also by its inherited convenience initializer")
  func container() throws {
    defer { try? FileManager.default.removeItem(at: ProjectContainer.folder) }
    let container = try loaded(
      ProjectContainer(name: "Project", managedObjectModel: ProjectModel.make()))
    #expect(container.viewContext.name == "view")
    #expect(container.openedStores == 1)
    #expect(container.newBackgroundContext().transactionAuthor == "background")
    let file = container.persistentStoreDescriptions.first?.url
    #expect(file?.deletingLastPathComponent().path == ProjectContainer.folder.path)
    #expect(FileManager.default.fileExists(atPath: file?.path ?? ""))
    #expect(try loaded(ProjectContainer(inMemory: true)).openedStores == 1)
    // The initializer by name alone is inherited, since all designated ones are overridden.
    #expect(ProjectContainer(name: "Missing").viewContext.name == "view")
  }

  @Test("a context's overrides are called and can call super")
  func context() throws {
    let container = try loaded(ProjectContainer(inMemory: true))
    let context = CountingContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = container.persistentStoreCoordinator
    try context.performAndWait { () throws in
      let project = inserted("one", context)
      try context.save()
      #expect(context.object(with: project.objectID) === project)
      context.refresh(project, mergeChanges: false)
      context.delete(project)
      context.rollback()
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Project")) == 1)
      context.reset()
      _ = try context.execute(NSBatchDeleteRequest(fetchRequest: ProjectRequest.all()))
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Project")) == 0)
    }
    let calls = ["insert", "save", "object", "refresh", "delete", "rollback", "reset", "execute"]
    #expect(context.calls == calls)
  }

  @Test("a coordinator, a model and its descriptions can be subclassed")
  func coordinator() throws {
    let coordinator = ProjectCoordinator(managedObjectModel: ProjectModel())
    let store = try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    #expect(coordinator.added == [NSInMemoryStoreType])
    #expect(coordinator.persistentStores == [store])
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait { () throws in
      let project = NSEntityDescription.insertNewObject(forEntityName: "Project", into: context)
      #expect(project.value(forKey: "title") as? String == "untitled")
      try context.save()
    }
  }

  @Test("a custom merge policy is called")
  func policy() throws {
    let container = try loaded(ProjectContainer(inMemory: true))
    let (one, other) = (container.newBackgroundContext(), container.newBackgroundContext())
    let policy = NotingPolicy()
    one.mergePolicy = policy
    try one.performAndWait { () throws in
      let project = inserted("first", one)
      try one.save()
      let id = project.objectID
      try other.performAndWait { () throws in
        other.object(with: id).setValue("second", forKey: "title")
        try other.save()
      }
      project.setValue("third", forKey: "title")
      try one.save()
      #expect(project.value(forKey: "title") as? String == "second")
    }
    #expect(policy.conflictCount == 1)
  }

  @Test("requests of custom classes are executed")
  func requests() throws {
    let container = try loaded(ProjectContainer(inMemory: true))
    let context = container.newBackgroundContext()
    try context.performAndWait { () throws in
      let insertion = ProjectInsertion(
        entityName: "Project", objects: [["title": "b"], ["title": "a"], ["title": "c"]])
      _ = try context.execute(insertion)
      let request = ProjectRequest()
      request.entity = NSEntityDescription.entity(forEntityName: "Project", in: context)
      #expect(
        try context.fetch(request).map { $0.value(forKey: "title") as? String } == ["a", "b", "c"])
      let update = ProjectUpdate(entityName: "Project")
      update.propertiesToUpdate = ["title": "d"]
      #expect((try context.execute(update) as? NSBatchUpdateResult)?.result as? Int == 3)
      let deletion = ProjectDeletion(fetchRequest: ProjectRequest.all())
      #expect((try context.execute(deletion) as? NSBatchDeleteResult)?.result as? Int == 3)
    }
  }

  @Test("a results controller of the application's class fetches")
  func results() throws {
    let context = try loaded(ProjectContainer(inMemory: true)).newBackgroundContext()
    try context.performAndWait { () throws in
      _ = inserted("one", context)
      try context.save()
      let results = ProjectResults(in: context)
      try results.performFetch()
      #expect(results.fetchCount == 1)
      #expect(results.fetchedObjects?.count == 1)
      #expect(results.sectionIndexTitle(forSectionName: "one") == "#")
    }
  }

  @Test("a description's initializer decides how its store is opened")
  func description() throws {
    let container = ProjectContainer(inMemory: true)
    let file = ProjectContainer.folder.appendingPathComponent("missing.sqlite")
    container.persistentStoreDescriptions = [ReadOnlyDescription(url: file)]
    #expect(throws: CocoaError.self) { try loaded(container) }
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }
}

extension ProjectRequest {
  static func all() -> NSFetchRequest<any NSFetchRequestResult> {
    NSFetchRequest<any NSFetchRequestResult>(entityName: "Project")
  }
}
