import Foundation
import OpenCoreData
import Testing

/// The contents of a store whose process ended without closing it, recovered from the file and the
/// log.
@Suite("Stores that were not closed")
struct RecoveryTests {
  /// Apple, save(): saved changes are in the store. With a small cache, SQLite writes pages of a
  /// transaction to its log
  /// more than once, and after failed saves, it overwrites earlier frames.
  @Test("every committed save, and no other, is recovered with the log", arguments: [2000, 20])
  func recovery(cachedPages: Int) throws {
    try CodedItems.inFolder { try recover(in: $0, cachedPages: cachedPages) }
  }

  private func recover(in folder: URL, cachedPages: Int) throws {
    let file = folder.appendingPathComponent("items.sqlite")
    let context = try CodedItems.container(file, pragmas: ["cache_size": cachedPages])
      .newBackgroundContext()
    var random = SeededNumbers(seed: 24_4096)
    var next = 0
    try context.performAndWait { () throws in
      for round in 0..<24 {
        let before = try CodedItems.texts(in: context)
        for _ in 0..<random.below(round % 4 == 0 ? 2000 : 30) {
          let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
          item.setValue(next, forKey: "number")
          item.setValue("\(random.next())", forKey: "code")
          item.setValue(String(repeating: "\(round) ", count: random.below(200)), forKey: "text")
          next += 1
        }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        for item in try context.fetch(request) where random.below(4) == 0 {
          random.below(5) == 0 ? context.delete(item) : item.setValue("\(round)", forKey: "text")
        }
        if round % 3 == 2 {
          let one = try context.fetch(request).filter { !$0.isDeleted }
          one.prefix(2).forEach { $0.setValue("same", forKey: "code") }
          #expect(throws: CocoaError.self) { try context.save() }
          context.rollback()
          #expect(try CodedItems.texts(in: context) == before)
        } else {
          try context.save()
        }
        let copy = folder.appendingPathComponent("copy\(round).sqlite")
        for end in ["", "-wal"] {
          try FileManager.default.copyItem(atPath: file.path + end, toPath: copy.path + end)
        }
        let recovered = try CodedItems.container(copy).newBackgroundContext()
        let expected = try CodedItems.texts(in: context)
        try recovered.performAndWait { () throws in
          #expect(try CodedItems.texts(in: recovered) == expected)
        }
      }
    }
  }
}
