import Foundation
import OpenCoreData

/// One store with the rows of ``GrammarData``, and the context that created them.
final class GrammarStack {
  /// Whether the rows are in the store, or only in the context.
  enum State {
    case saved, unsaved
  }

  let context: NSManagedObjectContext
  /// The objects of the rows in their order.
  private(set) var rows: [NSManagedObject] = []

  init(_ storeType: String, _ state: State = .saved) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: GrammarModel.make())
    _ = try coordinator.addPersistentStore(
      ofType: storeType, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"),
      options: nil)
    context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      fill()
      if state == .saved { try context.save() }
    }
  }

  private func fill() {
    rows = (0..<GrammarData.rowCount).map { index in
      insert("Sample", GrammarData.columns.mapValues { $0[index] })
    }
    let forums = (1...3).map {
      insert("Forum", ["forumID": $0, "visibleInForumList": $0 == 3 ? nil : $0 == 1])
    }
    let people = (7...9).map { insert("Person", ["userID": "\($0)"]) }
    for (index, row) in rows.enumerated() {
      fillRelationships(of: row, index)
      let link = GrammarData.links[index]
      if link.author > 0 { row.setValue(people[link.author - 7], forKey: "author") }
      if link.forum > 0 { row.setValue(forums[link.forum - 1], forKey: "forum") }
      if link.metadata > 0 { row.setValue(forums[link.metadata - 1], forKey: "metadata") }
      if link.album { row.setValue(insert("Part", ["attr": "album"]), forKey: "album") }
    }
  }

  private func fillRelationships(of row: NSManagedObject, _ index: Int) {
    if let inner = GrammarData.inners[index] {
      let object = insert("Inner", ["a": inner.a, "s": inner.s, "list": inner.list])
      if let number = inner.inner { object.setValue(insert("Inner", ["a": number]), forKey: "o") }
      row.setValue(object, forKey: "o")
    }
    let pages = GrammarData.pages[index].map { page in
      let object = insert("Page", ["n": page.n, "t": page.t, "length": page.length])
      object.setValue(Set(page.notes.map { insert("Note", ["n": $0]) }), forKey: "notes")
      return object
    }
    row.setValue(NSOrderedSet(array: pages), forKey: "pages")
    let parts = GrammarData.parts[index].map { insert("Part", ["attr": $0]) }
    row.setValue(Set(parts), forKey: "rel")
    row.setValue(Set(GrammarData.children[index].map { rows[$0 - 1] }), forKey: "children")
  }

  private func insert(_ entity: String, _ values: [String: Any?]) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    for (key, value) in values { object.setValue(value, forKey: key) }
    return object
  }

  static func request<Result>(
    _ predicate: NSPredicate, _ result: Result.Type
  ) -> NSFetchRequest<Result> {
    let request = NSFetchRequest<Result>(entityName: "Sample")
    request.predicate = predicate
    return request
  }

  /// Returns the numbers of the rows that a fetch with a predicate finds.
  func fetched(_ predicate: NSPredicate) throws -> [Int] {
    try context.fetch(Self.request(predicate, NSManagedObject.self)).compactMap(number).sorted()
  }

  /// Returns the numbers of the rows for which a predicate is true.
  func evaluated(_ predicate: NSPredicate) -> [Int] {
    rows.filter { predicate.evaluate(with: $0) }.compactMap(number)
  }

  private func number(of object: NSManagedObject) -> Int? { object.value(forKey: "row") as? Int }
}
