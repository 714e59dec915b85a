import CoreData
import Foundation
import OpenPersistenceKit
import Testing

@Suite("Last-modified observer")
struct LastModifiedContextObserverTests {
  @Test(
    "an observer sets the date of inserted and updated objects before validation, until it is released"
  )
  func marking() throws {
    let persistence = PersistenceController(inMemory: true)
    let context = persistence.newBackgroundContext()
    let instants = [1.0, 2, 3].map { Date(timeIntervalSinceReferenceDate: $0) }
    try context.performAndWait { () throws in
      var observer: LastModifiedContextObserver? = LastModifiedContextObserver(
        managedObjectContext: context, key: "addedAt", now: { instants[0] })
      let (one, two) = (Track(title: "1", context: context), Track(title: "2", context: context))
      let album = Album(context: context)
      album.title = "has no such attribute"
      try context.save()
      #expect(one.addedAt == instants[0] && two.addedAt == instants[0])
      #expect(!context.hasChanges)
      withExtendedLifetime(observer) {}
      observer = LastModifiedContextObserver(
        managedObjectContext: context, key: "addedAt", now: { instants[1] })
      one.playCount = 1
      try context.save()
      #expect(one.addedAt == instants[1] && two.addedAt == instants[0])
      withExtendedLifetime(observer) {}
      observer = nil
      one.playCount = 2
      try context.save()
      #expect(one.addedAt == instants[1])
    }
  }

  @Test("other contexts, and attributes that are not dates, are not changed")
  func others() throws {
    let persistence = PersistenceController(inMemory: true)
    let (observed, other) = (persistence.newBackgroundContext(), persistence.newBackgroundContext())
    let byDate = LastModifiedContextObserver(managedObjectContext: observed, key: "addedAt")
    let byTitle = LastModifiedContextObserver(managedObjectContext: other, key: "title")
    try other.performAndWait { () throws in
      let track = Track(title: "One", context: other)
      try other.save()
      #expect(track.addedAt == nil && track.title == "One")
    }
    withExtendedLifetime((byDate, byTitle)) {}
  }
}
