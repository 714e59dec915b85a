import Foundation
import OpenCoreData
import ProcessModel

/// Pairs of queues and locks; of each, every thread takes one, waits until the others have theirs, and asks for the
/// others'.
struct LockPairs {
  let coordinator: NSPersistentStoreCoordinator
  let positions: Positions
  /// The turn; odd and even turns differ in the first requester.
  let number: Int

  static var all: [String: (LockPairs) throws -> [LockPart]] {
    [
      "parent-and-child": { $0.parentAndChild() }, "main-and-child": { $0.mainAndChild() },
      "main-and-merging-child": { try $0.mainAndMergingChild() },
      "main-and-private": { $0.mainAndPrivate() }, "grandchild": { $0.grandchild() },
      "private-and-private": { $0.privateAndPrivate() }, "lent-and-used": { $0.lentAndUsed() },
      "saving-parent": { $0.savingParent() }, "merge-and-save": { $0.mergeAndSave() },
      "results-and-save": { try $0.resultsAndSave() },
      "coordinator-and-store": { $0.coordinatorAndStore() }, "processes": { $0.processes() },
    ]
  }

  // MARK: Making

  private func context(
    _ type: NSManagedObjectContextConcurrencyType, of parent: NSManagedObjectContext? = nil
  ) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: type)
    context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    if let parent {
      context.parent = parent
    } else {
      context.persistentStoreCoordinator = coordinator
    }
    return context
  }

  private func main() -> NSManagedObjectContext { context(.mainQueueConcurrencyType) }

  private func privately(_ parent: NSManagedObjectContext? = nil) -> NSManagedObjectContext {
    context(.privateQueueConcurrencyType, of: parent)
  }

  private func part(
    _ name: String, isOnMain: Bool = false,
    _ work: @escaping (@escaping (String) -> Void) throws -> Void
  ) -> LockPart {
    let positions = positions
    return LockPart(name: name, isOnMain: isOnMain) {
      try work { positions.set(name, $0) }
    }
  }

  private func fetch(_ context: NSManagedObjectContext) throws {
    for entry in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Entry")).prefix(3) {
      _ = entry.value(forKey: "amount")
    }
  }

  private func insert(_ context: NSManagedObjectContext) {
    NSEntityDescription.insertNewObject(forEntityName: "Entry", into: context)
      .setValue(number, forKey: "amount")
  }

  private func meet(_ meeting: Meeting, _ at: (String) -> Void) {
    at("meets")
    meeting.meet()
  }

  private func insertAndSave(
    _ context: NSManagedObjectContext, _ at: (String) -> Void
  ) throws {
    insert(context)
    at("saves")
    try context.save()
  }

  private func ask(_ context: NSManagedObjectContext, _ at: (String) -> Void) throws {
    at("asks")
    try context.performAndWait { try fetch(context) }
  }

  /// Holds one context, waits for the other threads, and requests another context.
  private func hold(
    _ name: String, _ held: NSManagedObjectContext, thenAsk asked: NSManagedObjectContext,
    _ meeting: Meeting
  ) -> LockPart {
    part(name) { at in
      try held.performAndWait {
        meet(meeting, at)
        try ask(asked, at)
      }
    }
  }

  /// On the main thread, waits for the other threads and requests a context.
  private func askOnMain(_ asked: NSManagedObjectContext, _ meeting: Meeting) -> LockPart {
    part("main", isOnMain: true) { at in
      meet(meeting, at)
      try ask(asked, at)
    }
  }

  // MARK: Pairs of contexts

  private func parentAndChild() -> [LockPart] {
    let parent = privately()
    let child = privately(parent)
    let meeting = Meeting(of: 2)
    return [
      hold("parent", parent, thenAsk: child, meeting),
      hold("child", child, thenAsk: child, meeting),
    ]
  }

  private func mainAndChild() -> [LockPart] {
    let child = privately(main())
    let meeting = Meeting(of: 2)
    return [askOnMain(child, meeting), hold("child", child, thenAsk: child, meeting)]
  }

  /// The main thread saves, which makes the child merge on its queue, and waits for the child.
  private func mainAndMergingChild() throws -> [LockPart] {
    let main = main()
    let child = privately(main)
    return [
      part("main", isOnMain: true) { at in
        try child.performAndWait {
          child.automaticallyMergesChangesFromParent = true
          try fetch(child)
        }
        for step in 0..<3 {
          insert(main)
          at("saves \(step)")
          try main.save()
          at("asks \(step)")
          try child.performAndWait { try fetch(child) }
        }
      }
    ]
  }

  private func mainAndPrivate() -> [LockPart] {
    let (main, worker) = (main(), privately())
    let meeting = Meeting(of: 2)
    return [askOnMain(worker, meeting), hold("worker", worker, thenAsk: main, meeting)]
  }

  private func grandchild() -> [LockPart] {
    let parent = privately(main())
    let child = privately(parent)
    let meeting = Meeting(of: 3)
    return [
      askOnMain(child, meeting), hold("parent", parent, thenAsk: parent, meeting),
      hold("child", child, thenAsk: child, meeting),
    ]
  }

  private func privateAndPrivate() -> [LockPart] {
    let contexts = (0..<3).map { _ in privately() }
    let meeting = Meeting(of: 3)
    return (0..<3).map {
      hold("context \($0)", contexts[$0], thenAsk: contexts[($0 + 1) % 3], meeting)
    }
  }

  /// The main thread lends its context while another thread submits work that uses the context.
  ///
  /// The borrower may continue while the work waits for another context; the two never use the
  /// lent context at the same time.
  private func lentAndUsed() -> [LockPart] {
    let (main, lent, other, used) = (main(), privately(), privately(), privately())
    let child = privately(used)
    let grandchild = privately(child)
    let meeting = Meeting(of: 4)
    let users = Users()
    return [
      part("main", isOnMain: true) { at in
        try lent.performAndWait {
          meet(meeting, at)
          try ask(other, at)
        }
      },
      part("borrower") { at in
        try other.performAndWait {
          meet(meeting, at)
          try lent.performAndWait {
            try ask(child, at)
            try users.use()
          }
        }
      },
      part("worker") { at in
        try used.performAndWait {
          meet(meeting, at)
          try main.performAndWait {
            try ask(grandchild, at)
            try lent.performAndWait { try users.use() }
          }
        }
      },
      part("reader") { at in
        try grandchild.performAndWait {
          meet(meeting, at)
          try fetch(grandchild)
        }
      },
    ]
  }

  /// A parent saves and notifies the main queue, whose child reads the parent.
  private func savingParent() -> [LockPart] {
    let parent = privately()
    let child = context(.mainQueueConcurrencyType, of: parent)
    let meeting = Meeting(of: 2)
    return [
      part("main", isOnMain: true) { at in
        meet(meeting, at)
        at("reads")
        try fetch(child)
        insert(child)
        try child.save()
      },
      part("parent") { at in
        try parent.performAndWait {
          insert(parent)
          try whileObserving(
            .NSManagedObjectContextDidSave, of: parent,
            { _ in
              meet(meeting, at)
              at("asks")
              child.performAndWait { child.refreshAllObjects() }
            },
            { try parent.save() })
        }
      },
    ]
  }

  private func whileObserving(
    _ name: Notification.Name, of object: AnyObject, _ observe: @escaping (Notification) -> Void,
    _ work: () throws -> Void
  ) rethrows {
    // Notifications are posted on the thread that does the work.
    nonisolated(unsafe) let observe = observe
    let token = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) {
      observe($0)
    }
    defer { NotificationCenter.default.removeObserver(token) }
    try work()
  }

  // MARK: Saves and merges

  private func mergeAndSave() -> [LockPart] {
    let meeting = Meeting(of: 2)
    let contexts = (0..<2).map { _ in privately() }
    for context in contexts { context.automaticallyMergesChangesFromParent = true }
    return (0..<2).map { place in
      part("context \(place)") { at in
        let (own, other) = (contexts[place], contexts[1 - place])
        try own.performAndWait {
          insert(own)
          meet(meeting, at)
          at("saves")
          try own.save()
          try ask(other, at)
        }
      }
    }
  }

  /// Fetched results of the main queue follow saves of a context that the main thread waits for.
  private func resultsAndSave() throws -> [LockPart] {
    let (main, worker) = (main(), privately())
    let meeting = Meeting(of: 2)
    return [
      part("main", isOnMain: true) { at in
        main.automaticallyMergesChangesFromParent = true
        let request = NSFetchRequest<NSManagedObject>(entityName: "Entry")
        request.sortDescriptors = [NSSortDescriptor(key: "amount", ascending: true)]
        let results = NSFetchedResultsController(
          fetchRequest: request, managedObjectContext: main, sectionNameKeyPath: nil,
          cacheName: nil)
        try results.performFetch()
        meet(meeting, at)
        try insertAndSave(main, at)
        try ask(worker, at)
      },
      part("worker") { at in
        try worker.performAndWait {
          insert(worker)
          meet(meeting, at)
          at("saves")
          // Another thread's wait for the main queue in the middle of a save's announcement.
          try whileObserving(
            .NSManagedObjectContextDidSave, of: worker,
            { saved in main.performAndWait { main.mergeChanges(fromContextDidSave: saved) } },
            { try worker.save() })
        }
      },
    ]
  }

  // MARK: Stores

  private func coordinatorAndStore() -> [LockPart] {
    let meeting = Meeting(of: 3)
    let (saver, reader) = (privately(), privately(main()))
    return [
      part("coordinator") { at in
        meet(meeting, at)
        at("adds")
        let store = try coordinator.addPersistentStore(
          ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        at("removes")
        try coordinator.remove(store)
      },
      part("saver") { at in
        try saver.performAndWait {
          insert(saver)
          for store in coordinator.persistentStores where store.type == NSSQLiteStoreType {
            for object in saver.insertedObjects { saver.assign(object, to: store) }
          }
          meet(meeting, at)
          at("saves")
          try unlessClosed { try saver.save() }
        }
      },
      part("reader") { at in
        try reader.performAndWait {
          meet(meeting, at)
          at("reads")
          try unlessClosed { try fetch(reader) }
        }
      },
    ]
  }

  /// Does work during which a store may be removed.
  private func unlessClosed(_ work: () throws -> Void) throws {
    do { try work() } catch let error as CocoaError
      where error.errorCode == NSPersistentStoreOperationError
    {}
  }

  /// Saves on the main queue and on a private one while another process does the same on the same file.
  private func processes() -> [LockPart] {
    let main = main()
    let child = privately(main)
    child.automaticallyMergesChangesFromParent = true
    return [
      part("main", isOnMain: true) { at in
        try insertAndSave(main, at)
        try ask(child, at)
      },
      part("child") { at in
        try child.performAndWait {
          try insertAndSave(child, at)
          at("asks")
          try main.performAndWait { try main.save() }
        }
      },
    ]
  }
}
