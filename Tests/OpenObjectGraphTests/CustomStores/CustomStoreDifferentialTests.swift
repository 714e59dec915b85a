import Foundation
import OpenCoreData
import Testing

/// The same edits and fetches on the memory store, on single-file stores, and on custom stores.
@Suite("Differential, custom stores")
struct CustomStoreDifferentialTests {
  private let folder: URL

  init() throws {
    ListStore.register()
    ServerStore.register()
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("custom-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func container(_ type: String, _ server: Server? = nil) throws -> NSPersistentContainer {
    let description = NSPersistentStoreDescription(url: folder.appendingPathComponent(type))
    description.type = type
    if let server { description.setOption(server, forKey: "server") }
    return try .loaded("Shelf", ShelfModel.make(), [description])
  }

  @Test(
    "random edits, predicates and sorts agree with the memory store, also after reopening",
    arguments: [1, 2, 3, 4] as [UInt64])
  func randomEdits(seed: UInt64) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    var numbers = SeededNumbers(seed: seed)
    let server = Server()
    let types = [NSXMLStoreType, NSBinaryStoreType, ListStore.storeType, ServerStore.storeType]
    let memory = try ShelfModel.container(NSInMemoryStoreType).newBackgroundContext()
    let sides =
      [ShelfSide(name: "memory", context: memory)]
      + (try types.map { type in
        ShelfSide(name: type, context: try container(type, server).newBackgroundContext())
      })
    for step in 0..<120 {
      let edit = ShelfEdit.random(&numbers, code: Int32(step))
      try compare(sides, ShelfQuery(&numbers), "seed \(seed), step \(step), \(edit)") { side in
        try edit.apply(to: side)
      }
    }
    for side in sides { try side.context.performAndWait { try side.context.save() } }
    let again = try types.map { type in
      ShelfSide(name: type, context: try container(type, server).newBackgroundContext())
    }
    for _ in 0..<20 {
      try compare([sides[0]] + again, ShelfQuery(&numbers), "seed \(seed), opened again") { _ in }
    }
  }

  private func compare(
    _ sides: [ShelfSide], _ query: ShelfQuery, _ place: String,
    _ prepare: (ShelfSide) throws -> Void
  ) throws {
    var expected: [Int32]?
    for side in sides {
      let found = try side.context.performAndWait {
        try prepare(side)
        return try query.fetch(on: side)
      }
      if let expected {
        try #require(found == expected, "\(place), \(side.name): \(query)")
      } else {
        expected = found
      }
    }
  }
}
