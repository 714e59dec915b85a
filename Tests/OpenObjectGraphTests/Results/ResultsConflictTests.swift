import Foundation
import OpenCoreData
import Testing

/// Changes by merge policies during a save are announced, so that followed results stay correct.
@Suite("Fetched results: conflicts of a save")
struct ResultsConflictTests {
  private func followed(
    _ context: NSManagedObjectContext
  ) throws -> (NSFetchedResultsController<NSManagedObject>, ResultsRecorder) {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Track")
    request.sortDescriptors = [
      NSSortDescriptor(key: "rating", ascending: true),
      NSSortDescriptor(key: "title", ascending: true),
    ]
    let controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
    let recorder = ResultsRecorder()
    controller.delegate = recorder
    try controller.performFetch()
    recorder.mirror(controller)
    return (controller, recorder)
  }

  private func titles(_ controller: NSFetchedResultsController<NSManagedObject>) -> [String] {
    (controller.fetchedObjects ?? []).map { $0.value(forKey: "title") as? String ?? "-" }
  }

  private func expectFresh(_ controller: NSFetchedResultsController<NSManagedObject>) throws {
    let fresh = NSFetchedResultsController(
      fetchRequest: controller.fetchRequest, managedObjectContext: controller.managedObjectContext,
      sectionNameKeyPath: nil, cacheName: nil)
    try fresh.performFetch()
    #expect(titles(controller) == titles(fresh))
  }

  @Test(
    "insertions that a policy discards leave the results",
    arguments: TrackStack.Place.allCases,
    [NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .rollbackMergePolicyType])
  func insertions(_ place: TrackStack.Place, _ type: NSMergePolicyType) throws {
    let stack = try TrackStack(place)
    let writer = stack.makeContext()
    try writer.performAndWait {
      TrackStack.insert("Track", ["title": "saved", "code": "c", "rating": 5], in: writer)
      try writer.save()
    }
    let context = stack.makeContext(policy: NSMergePolicy(merge: type))
    try context.performAndWait {
      let (controller, recorder) = try followed(context)
      TrackStack.insert("Track", ["title": "new", "code": "c", "rating": 9], in: context)
      TrackStack.insert("Track", ["title": "other", "code": "d", "rating": 7], in: context)
      context.processPendingChanges()
      #expect(titles(controller) == ["saved", "other", "new"])
      try context.save()
      let expected =
        type == .rollbackMergePolicyType ? ["saved", "other"] : ["other", "new"]
      #expect(titles(controller) == expected)
      #expect(recorder.list.map(\.count) == [2])
      try expectFresh(controller)
    }
  }

  @Test("unsaved objects with the same values become one in the results")
  func both() throws {
    let stack = try TrackStack(.file)
    let context = stack.makeContext(policy: NSMergeByPropertyObjectTrumpMergePolicy)
    try context.performAndWait {
      let (controller, recorder) = try followed(context)
      for number in 0..<3 {
        TrackStack.insert(
          "Track", ["title": "\(number)", "code": "c", "rating": number], in: context)
      }
      context.processPendingChanges()
      #expect(titles(controller) == ["0", "1", "2"])
      try context.save()
      #expect(titles(controller).count == 1)
      #expect(recorder.list.map(\.count) == [1])
      try expectFresh(controller)
    }
  }

  @Test(
    "changes that a policy drops or applies to other rows are followed",
    arguments: [
      NSMergePolicyType.rollbackMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType,
      .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType,
    ])
  func versions(_ type: NSMergePolicyType) throws {
    let stack = try TrackStack(.file)
    try stack.seed(4)
    let context = stack.makeContext(policy: NSMergePolicy(merge: type))
    try context.performAndWait {
      let (controller, recorder) = try followed(context)
      let objects = try #require(controller.fetchedObjects)
      let writer = stack.makeContext()
      try writer.performAndWait {
        for object in [objects[0], objects[3]] {
          writer.object(with: object.objectID).setValue(50, forKey: "rating")
        }
        try writer.save()
        writer.delete(writer.object(with: objects[1].objectID))
        try writer.save()
      }
      objects[0].setValue(99, forKey: "rating")
      objects[1].setValue(98, forKey: "rating")
      objects[3].setValue("renamed", forKey: "title")
      objects[2].setValue(-1, forKey: "rating")
      try context.save()
      #expect(controller.fetchedObjects?.count == 3)
      #expect(recorder.list.map(\.count) == [3])
      try expectFresh(controller)
    }
  }

  @Test(
    "the announcement reports discarded objects as deleted and changed objects as refreshed")
  func announcement() throws {
    let stack = try TrackStack(.file)
    let context = stack.makeContext(policy: NSMergeByPropertyObjectTrumpMergePolicy)
    try context.performAndWait {
      let saved = TrackStack.insert("Track", ["title": "saved", "code": "c"], in: context)
      try context.save()
      let lost = TrackStack.insert("Track", ["title": "new", "code": "c"], in: context)
      context.processPendingChanges()
      let announced = NotificationCollector(.NSManagedObjectContextObjectsDidChange, of: context)
      try context.save()
      #expect(announced.all.count == 1)
      let userInfo = announced.all.first?.userInfo
      #expect(userInfo?[NSDeletedObjectsKey] as? Set<NSManagedObject> == [lost])
      #expect(userInfo?[NSRefreshedObjectsKey] as? Set<NSManagedObject> == [saved])
      #expect(lost.managedObjectContext == nil)
      #expect(saved.value(forKey: "title") as? String == "new")
      try context.save()
      #expect(announced.all.count == 1)
    }
  }
}
