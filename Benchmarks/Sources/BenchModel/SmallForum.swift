internal import CBenchSQLite
internal import Foundation
internal import OpenBuiltInStores

/// A small data set in the generator's format, for counting instructions without the generator.
package enum SmallForum {
  private static let threadCount = 20
  private static let pageCount = 500
  private static let lookUpCount = 2000

  /// Writes a store, a file of posts to import, and the keys of pages and look-ups to a folder.
  ///
  /// - Parameter postCount: Number of posts in the store; a quarter as many are in the file.
  package static func write(postCount: Int, to folder: String) throws {
    try store(postCount, at: "\(folder)/forum.sqlite")
    let imported = (0..<postCount / 4).map { post(postCount + $0) }
    try imported.reduce(into: Data()) { $0.append($1) }.write(
      to: URL(fileURLWithPath: "\(folder)/posts.bin"))
    let pagesOfThread = max(1, postCount / threadCount / 40)
    let pages = (0..<pageCount).flatMap { page in
      [Int64(1 + page % threadCount), Int64(page / threadCount % pagesOfThread * 40)]
    }
    try write(pages, to: "\(folder)/q5.bin")
    try write((0..<lookUpCount).map { Int64($0 * 7 % postCount) }, to: "\(folder)/q7.bin")
  }

  private static func write(_ keys: [Int64], to path: String) throws {
    try keys.withUnsafeBytes { Data($0) }.write(to: URL(fileURLWithPath: path))
  }

  // MARK: The store

  private static func store(_ postCount: Int, at path: String) throws {
    let coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: ForumModel.make(isConstrained: false))
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path),
      options: [NSPersistentHistoryTrackingKey: true])
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      // Saves the objects one by one, so that their keys equal their numbers.
      let owners = try (1...threadCount).map { number in
        let thread = insert("Thread", ["title": "Thread \(number)"], in: context)
        let user = insert("User", ["username": "User \(number)"], in: context)
        try context.save()
        return (thread, user)
      }
      for number in 0..<postCount {
        let (thread, author) = owners[number % threadCount]
        let content = content(number)
        _ = insert(
          "Post",
          [
            "postID": content.id, "title": content.title, "innerHTML": content.html,
            "editable": content.head.editable, "ignored": content.head.ignored,
            "threadIndex": content.head.threadIndex, "score": content.head.score,
            "postDate": Date(timeIntervalSinceReferenceDate: content.head.postDate),
            "thread": thread, "author": author,
          ], in: context)
      }
      try context.save()
    }
    try coordinator.remove(store)
    try index(path)
  }

  private static func insert(
    _ entity: String, _ values: [String: Any?], in context: NSManagedObjectContext
  ) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    for (key, value) in values { object.setValue(value, forKey: key) }
    return object
  }

  /// Adds the indexes that the generator's stores have.
  private static func index(_ path: String) throws {
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    let sql = """
      CREATE INDEX Z_Post_byThread ON ZPOST (ZTHREAD, ZTHREADINDEX);
      CREATE UNIQUE INDEX Z_Post_UNIQUE_postID ON ZPOST (ZPOSTID);
      """
    guard sqlite3_open(path, &connection) == SQLITE_OK,
      sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK
    else { throw CocoaError(.fileWriteUnknown) }
  }

  // MARK: Posts

  private static func content(_ number: Int) -> PostStream.Record {
    var head = PostStream.Head()
    head.thread = Int64(1 + number % threadCount)
    head.author = head.thread
    head.postDate = 7e8 + Double(number)
    head.score = Double(number % 100) / 100
    head.threadIndex = Int32(number / threadCount)
    head.editable = number % 3 == 0
    head.ignored = number % 7 == 0
    let words = (0..<12).map { "word\((number * 31 + $0 * 17) % 997)" }.joined(separator: " ")
    return PostStream.Record(
      head: head, id: "\(number)", html: "<p>\(words)</p>",
      title: number % 10 == 0 ? "On the number \(number)" : nil)
  }

  /// A post in the format of the import file.
  private static func post(_ number: Int) -> Data {
    let content = content(number)
    var data = Data()
    func append<Number>(_ number: Number) {
      withUnsafeBytes(of: number) { data.append(contentsOf: $0) }
    }
    append(Int64(0))
    append(content.head.thread)
    append(content.head.author)
    append(content.head.postDate)
    append(content.head.score)
    append(content.head.threadIndex)
    append(UInt8(content.head.editable ? 1 : 0))
    append(UInt8(content.head.ignored ? 1 : 0))
    append(UInt16(content.id.utf8.count))
    append(content.title.map { UInt16($0.utf8.count) } ?? 0xFFFF)
    append(UInt16(content.html.utf8.count))
    for text in [content.id, content.title ?? "", content.html] {
      data.append(contentsOf: text.utf8)
    }
    return data
  }
}
