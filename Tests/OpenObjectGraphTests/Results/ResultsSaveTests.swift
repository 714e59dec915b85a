import Foundation
import OpenCoreData
import Testing

/// Keys and derived values that a save itself changes reach followed results.
@Suite("Fetched results: saves")
struct ResultsSaveTests {
  @Test("objects sorted by id have the order of a new fetch", arguments: ResultsStack.stores)
  func sortedByID(_ store: String) throws {
    let stack = try ResultsStack(store)
    try stack.seed(3)
    try stack.context.performAndWait {
      for isAscending in [true, false] {
        let (controller, recorder) = try stack.followed {
          $0.sortDescriptors = [NSSortDescriptor(key: "self", ascending: isAscending)]
        }
        for rank in [5, 15, 25] { stack.insert(rank) }
        stack.context.processPendingChanges()
        try stack.context.save()
        let expected = try stack.context.fetch(controller.fetchRequest)
        #expect(controller.fetchedObjects == expected)
        #expect(!recorder.calls.isEmpty)
      }
    }
  }

  @Test("a condition on the order of ids is reevaluated", arguments: ResultsStack.stores)
  func comparedByID(_ store: String) throws {
    let stack = try ResultsStack(store)
    try stack.context.performAndWait {
      let folder = ResultsFolder(context: stack.context)
      try stack.context.save()
      let (controller, recorder) = try stack.followed {
        $0.predicate = NSPredicate(format: "folder > %@", folder)
      }
      let later = ResultsFolder(context: stack.context)
      stack.insert(10).folder = later
      stack.insert(20).folder = folder
      try stack.context.save()
      #expect(controller.ranks == [10])
      let expected = try stack.context.fetch(controller.fetchRequest)
      #expect(controller.fetchedObjects == expected)
      #expect(!recorder.calls.isEmpty)
    }
  }

  @Test("values that the save derives sort and select")
  func derived() throws {
    let context = try AlbumModel.context(NSSQLiteStoreType)
    try context.performAndWait {
      let sorted = try follow(context, sort: "plainTitle")
      let full = try follow(context, "songCount > 0", sort: "title")
      for title in ["Öb", "Äa", "Üc"] {
        let album = AlbumModel.insert("Album", ["title": title], in: context)
        guard title != "Öb" else { continue }
        _ = AlbumModel.insert("Song", ["title": title, "length": 1, "album": album], in: context)
      }
      context.processPendingChanges()
      try context.save()
      #expect(titles(sorted) == ["Äa", "Öb", "Üc"])
      #expect(titles(full) == ["Äa", "Üc"])
    }
  }

  /// Receives all changes and keeps nothing.
  private final class Listener: NSFetchedResultsControllerDelegate {}

  @Test("an object that was inserted and rolled back is released", arguments: ResultsStack.stores)
  func rolledBack(_ store: String) throws {
    let stack = try ResultsStack(store)
    try stack.context.performAndWait {
      let controller = stack.controller()
      let listener = Listener()
      controller.delegate = listener
      try controller.performFetch()
      weak let entry = stack.insert(10)
      stack.context.processPendingChanges()
      #expect(controller.ranks == [10])
      stack.context.rollback()
      #expect(controller.ranks.isEmpty)
      #expect(entry == nil)
      withExtendedLifetime(listener) {}
    }
  }

  private func follow(
    _ context: NSManagedObjectContext, _ format: String? = nil, sort: String
  ) throws -> (NSFetchedResultsController<NSManagedObject>, ResultsRecorder) {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Album")
    request.predicate = format.map { NSPredicate(format: $0) }
    request.sortDescriptors = [NSSortDescriptor(key: sort, ascending: true)]
    let controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
    let recorder = ResultsRecorder()
    try controller.performFetch()
    controller.delegate = recorder
    recorder.mirror(controller)
    return (controller, recorder)
  }

  private func titles(
    _ followed: (NSFetchedResultsController<NSManagedObject>, ResultsRecorder)
  ) -> [String?] {
    (followed.0.fetchedObjects ?? []).map { $0.value(forKey: "title") as? String }
  }
}
