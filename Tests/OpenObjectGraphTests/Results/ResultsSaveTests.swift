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

  @Test("an object moves if a save changes only its derived value, also in a child (D-470)")
  func recomputed() throws {
    let context = try AlbumModel.context(NSSQLiteStoreType)
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = context
    child.automaticallyMergesChangesFromParent = true
    let (albums, songs) = try context.performAndWait {
      let albums = ["a", "b"].map { AlbumModel.insert("Album", ["title": $0], in: context) }
      let songs = albums.enumerated().map { place, album in
        AlbumModel.insert("Song", ["length": place + 1, "album": album], in: context)
      }
      try context.save()
      return (albums, songs)
    }
    let inChild = try child.performAndWait { try follow(child, sort: "seconds") }
    try context.performAndWait {
      let results = try follow(context, sort: "seconds")
      let changes = NotificationCollector(.NSManagedObjectContextObjectsDidChange, of: context)
      songs[0].setValue(9, forKey: "length")
      try context.save()
      #expect(titles(results) == ["b", "a"])
      let refreshed = changes.all.last?.userInfo?[NSRefreshedObjectsKey]
      #expect(refreshed as? Set<NSManagedObject> == [albums[0]])
    }
    child.performAndWait { #expect(titles(inChild) == ["b", "a"]) }
  }

  @Test("derived values also sort results with a batch size, and results that a comparator sorts")
  func derivedWithoutKnownValues() throws {
    let context = try AlbumModel.context(NSSQLiteStoreType)
    try context.performAndWait {
      let albums = ["Öb", "Äa", "Üc"].map {
        AlbumModel.insert("Album", ["title": $0], in: context)
      }
      let batches = try follow(context, sort: "plainTitle") { $0.fetchBatchSize = 20 }
      let compared = try follow(context, sort: "plainTitle") {
        $0.sortDescriptors = [
          NSSortDescriptor(key: "plainTitle", ascending: true) { one, other in
            let (one, other) = (one as? String ?? "", other as? String ?? "")
            return one == other
              ? .orderedSame : one < other ? .orderedAscending : .orderedDescending
          }
        ]
      }
      try context.save()
      for results in [batches, compared] { #expect(titles(results) == ["Äa", "Öb", "Üc"]) }
      albums[1].setValue("Zd", forKey: "title")
      try context.save()
      for results in [batches, compared] { #expect(titles(results) == ["Öb", "Üc", "Zd"]) }
    }
  }

  @Test("a delegate that is set after a save gets the results in the order of derived values")
  func derivedBeforeDelegate() throws {
    let context = try AlbumModel.context(NSSQLiteStoreType)
    try context.performAndWait {
      for title in ["Öb", "Äa", "Üc"] {
        _ = AlbumModel.insert("Album", ["title": title], in: context)
      }
      let (controller, recorder) = try follow(context, sort: "plainTitle")
      controller.delegate = nil
      try controller.performFetch()
      try context.save()
      controller.delegate = recorder
      #expect(titles((controller, recorder)) == ["Äa", "Öb", "Üc"])
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
    _ context: NSManagedObjectContext, _ format: String? = nil, sort: String,
    _ adjust: (NSFetchRequest<NSManagedObject>) -> Void = { _ in }
  ) throws -> (NSFetchedResultsController<NSManagedObject>, ResultsRecorder) {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Album")
    request.predicate = format.map { NSPredicate(format: $0) }
    request.sortDescriptors = [NSSortDescriptor(key: sort, ascending: true)]
    adjust(request)
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
