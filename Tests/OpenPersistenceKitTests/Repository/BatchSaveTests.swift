import CoreData
import Foundation
import OpenPersistenceKit
import OpenTestSupport
import Testing

@Suite("Saves and deletions of many objects by a repository")
struct BatchSaveTests {
  @Test("many objects are saved in one transaction and deleted in another")
  func transactions() throws {
    let folder = try Folder()
    let recorder = StatementRecorder()
    let context = folder.open(observer: recorder.observer).newBackgroundContext()
    try context.performAndWait {
      let tracks = BaseRepository<Track>(context: context)
      let objects = (0..<600).map { Track(title: "\($0)", context: context) }
      let saving = try recorder.recording { try tracks.batchSave(objects) }
      #expect(saving.statements.count { $0.hasPrefix("COMMIT") } == 1)
      #expect(saving.statements.count { $0.hasPrefix("INSERT") } < 10, "\(saving.statements)")
      objects[3].title = "Changed"
      try tracks.update(objects[3])
      #expect(!context.hasChanges)
      let idle = try recorder.recording { try tracks.batchSave(objects) }
      #expect(!idle.statements.contains { $0.hasPrefix("BEGIN") }, "nothing is written")
      let deleting = try recorder.recording { try tracks.batchDelete(Array(objects[..<500])) }
      #expect(deleting.statements.count { $0.hasPrefix("COMMIT") } == 1)
      #expect(try tracks.count() == 100)
    }
  }

  @Test("an object of another context or a deleted object is rejected")
  func strangers() throws {
    let persistence = PersistenceController(inMemory: true)
    let (own, other) = (persistence.newBackgroundContext(), persistence.newBackgroundContext())
    let stranger = other.performAndWait { Track(title: "Stranger", context: other) }
    try own.performAndWait {
      let tracks = BaseRepository<Track>(context: own)
      let track = Track(title: "Own", context: own)
      for call in [tracks.save, tracks.update] {
        let error = #expect(throws: CocoaError.self) { try call(stranger) }
        #expect(error?.errorCode == 134060)
      }
      #expect(throws: CocoaError.self) { try tracks.batchSave([track, stranger]) }
      #expect(own.hasChanges, "nothing was saved")
      try tracks.save(track)
      #expect(throws: CocoaError.self) { try tracks.batchDelete([track, stranger]) }
      #expect(!track.isDeleted)
      try tracks.delete(track)
      #expect(throws: CocoaError.self) { try tracks.update(track) }
    }
  }

  @Test("a batch with an invalid object saves none of them")
  func invalidObject() throws {
    let persistence = PersistenceController(inMemory: true)
    let context = persistence.newBackgroundContext()
    try context.performAndWait { () throws in
      let tracks = BaseRepository<Track>(context: context)
      let objects = [Track(title: "Good", context: context), Track(context: context)]
      let error = #expect(throws: (any Error).self) { try tracks.batchSave(objects) }
      #expect(error.map { ErrorKind($0) } == .missingValue)
      context.rollback()
      #expect(try tracks.count() == 0)
    }
  }
}
