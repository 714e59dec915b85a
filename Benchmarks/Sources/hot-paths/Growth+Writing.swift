import Foundation
import OpenBuiltInStores

extension Growth {
  /// Imports 1,000 posts after `size` other posts were imported. One unit is one object.
  func importMore() throws -> Int {
    try forum.insertPosts(size..<2 * size)
    try counted { _ = try forum.insertPosts(2 * size..<2 * size + 1000) }
    return 1000
  }

  /// Saves `size` new posts with one save. One unit is one object.
  func saveInserted() throws -> Int {
    try forum.insertPosts(size..<size + 100)
    for number in 0..<size { Post(context: context).fill(size + 100 + number) }
    try counted { try context.save() }
    return size
  }

  /// Saves a few changed objects while all objects are registered.
  func saveChanged() throws -> Int {
    try inTurns(forum.posts()) { some, count in
      for post in some { post.score += 1 }
      try count { try context.save() }
    }
  }

  /// Changes all objects and saves them with one save. One unit is one object.
  func saveAll() throws -> Int {
    let posts = try forum.posts()
    posts[0].score += 1
    try context.save()
    try counted {
      for post in posts { post.score += 1 }
      try context.save()
    }
    return posts.count
  }

  /// Reads `hasChanges` while all objects are changed.
  func askForChanges() throws -> Int {
    let posts = try forum.posts()
    for post in posts { post.score += 1 }
    try counted { for _ in 0..<1000 { try check(context.hasChanges) } }
    return 1000
  }

  /// Deletes a few objects of the thread and saves.
  func delete() throws -> Int {
    try inTurns(forum.posts()) { some, count in
      try count {
        for post in some { context.delete(post) }
        try context.save()
      }
    }
  }

  // MARK: Merging

  /// Merges a few changed objects while all objects are registered.
  func mergeChanges() throws -> Int {
    try mergeSaves { $0.score += 1 }
  }

  /// Merges the deletion of a few objects while all objects are registered.
  func mergeDeletions() throws -> Int {
    try mergeSaves { $0.managedObjectContext?.delete($0) }
  }

  /// Merges the deletion of a few objects that have a to-many relationship while all objects are registered.
  func mergeDeletionsOfOwners() throws -> Int {
    for number in 0..<200 { Thread(context: context).title = "Thread \(number)" }
    try context.save()
    let request = NSFetchRequest<Thread>(entityName: "Thread")
    request.predicate = NSPredicate(format: "title BEGINSWITH 'Thread '")
    let threads = try context.fetch(request)
    for thread in threads { try check(thread.title != nil) }
    return try withExtendedLifetime(forum.posts()) { try mergeDeletions(of: threads) }
  }

  /// Merges the deletion of a few faults while all objects are registered as members of their
  /// thread.
  func mergeDeletionsOfFaults() throws -> Int {
    let thread = try forum.thread()
    let members = thread.posts
    try check(members.count == size)
    return try withExtendedLifetime(thread) { try mergeDeletions(of: Array(members)) }
  }

  private func mergeDeletions(of objects: [NSManagedObject]) throws -> Int {
    let other = forum.makeContext()
    return try inTurns(objects) { some, count in
      for object in some { other.delete(try other.existingObject(with: object.objectID)) }
      let saved = try notification(of: other)
      try count { context.mergeChanges(fromContextDidSave: saved) }
      try check(some.allSatisfy(\.isDeleted))
    }
  }

  /// Merges saves of another context, which has applied a closure to each object.
  private func mergeSaves(_ treat: (Post) -> Void) throws -> Int {
    let other = forum.makeContext()
    return try inTurns(forum.posts()) { some, count in
      for post in some {
        guard let same = try other.existingObject(with: post.objectID) as? Post else { continue }
        treat(same)
      }
      let saved = try notification(of: other)
      try count { context.mergeChanges(fromContextDidSave: saved) }
      try check(some[0].isDeleted || some[0].score > 0)
    }
  }

  /// Saves a context and returns the notification that the context posts.
  private func notification(of context: NSManagedObjectContext) throws -> Notification {
    nonisolated(unsafe) var announced: Notification?
    let token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: context, queue: nil
    ) { announced = $0 }
    defer { NotificationCenter.default.removeObserver(token) }
    try context.save()
    guard let announced else { throw CocoaError(.fileReadUnknown) }
    return announced
  }

  // MARK: Undo

  /// Registers a few edits for undo while all objects are registered.
  func registerUndo() throws -> Int {
    context.undoManager = UndoManager()
    return try inTurns(forum.posts()) { some, count in
      try count {
        for post in some { post.score += 1 }
        context.processPendingChanges()
      }
      try check(context.undoManager?.canUndo == true)
    }
  }

  /// Undoes a few edits while all objects are registered.
  func undo() throws -> Int {
    context.undoManager = UndoManager()
    return try inTurns(forum.posts()) { some, count in
      let score = some[0].score
      for post in some { post.score += 1 }
      context.processPendingChanges()
      try count { context.undo() }
      try check(some[0].score == score)
    }
  }

  // MARK: Relationships

  /// Adds a few objects to the thread and saves.
  ///
  /// - Parameter reading: A closure that is called with the thread before the measurement.
  func addMembers(reading: (Thread) throws -> Void) throws -> Int {
    let thread = try forum.thread()
    let posts = try forum.posts()
    try reading(thread)
    return try withExtendedLifetime(posts) {
      try inTurns(forum.sparePosts()) { some, count in
        try count {
          for post in some { thread.addToPosts(post) }
          try context.save()
        }
        try check(some[0].thread === thread)
      }
    }
  }
}
