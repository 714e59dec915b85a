import Foundation
import OpenCoreData
import Testing

/// `values(of:)`, `changes(of:)` and `notifications(named:object:)`.
@Suite("Observation: sequences")
struct ObservationSequenceTests {
  @Test(
    "values begin with the current value and continue with the newest; the last is never lost")
  func values() async throws {
    let stack = try ObservedStack(tracksObservation: false)
    let (book, titles) = try await stack.context.perform {
      let book = try stack.book()
      return (UncheckedBook(book), book.values(of: \.title))
    }
    var iterator = titles.makeAsyncIterator()
    #expect(await iterator.next() == "Dune")
    await stack.context.perform {
      book.value.title = "Emma"
      book.value.title = "Persuasion"
    }
    #expect(await iterator.next() == "Persuasion")
    var second = titles.makeAsyncIterator()
    #expect(await second.next() == "Persuasion")
    try await stack.context.perform {
      book.value.title = "Sanditon"
      stack.context.delete(book.value)
      try stack.context.save()
    }
    #expect(await iterator.next() == "Sanditon")
    #expect(await iterator.next() == nil)
    #expect(await second.next() == "Sanditon")
    #expect(await second.next() == nil)
    var late = titles.makeAsyncIterator()
    #expect(await late.next() == "Sanditon")
    #expect(await late.next() == nil)
  }

  @Test("values wait for a change, and report what other contexts save")
  func waiting() async throws {
    let stack = try ObservedStack(NSSQLiteStoreType, tracksObservation: false)
    let (book, titles) = try await stack.context.perform {
      stack.context.automaticallyMergesChangesFromParent = true
      let book = try stack.book()
      return (UncheckedBook(book), book.values(of: \.author?.name))
    }
    var iterator = titles.makeAsyncIterator()
    #expect(await iterator.next() == "Herbert")
    let next = Task { [iterator] in
      var iterator = iterator
      return await iterator.next()
    }
    try await stack.context.perform {
      try stack.changeElsewhere(book.value, merges: false) { $0.author?.name = "Frank" }
    }
    #expect(await next.value == "Frank")
    withExtendedLifetime(book) {}
  }

  @Test("a sequence ends with its task, with a reset, and with the release of its object")
  func ends() async throws {
    let stack = try ObservedStack(tracksObservation: false)
    let (book, titles) = try await stack.context.perform {
      let book = try stack.book()
      return (UncheckedBook(book), book.values(of: \.title))
    }
    let task = Task {
      for await _ in titles {}
      return true
    }
    task.cancel()
    #expect(await task.value)
    await stack.context.perform { stack.context.reset() }
    var iterator = titles.makeAsyncIterator()
    _ = await iterator.next()
    #expect(await iterator.next() == nil)
    withExtendedLifetime(book) {}

    let names = try await stack.context.perform {
      let author = stack.author("Austen")
      try stack.context.save()
      return author.values(of: \.name)
    }
    var last = names.makeAsyncIterator()
    #expect(await last.next() == "Austen")
    #expect(await last.next() == nil)
  }

  @Test(
    "changes of an object name all properties that changed since they were taken, and its deletion")
  func changes() async throws {
    let stack = try ObservedStack(tracksObservation: false)
    let (book, changes) = try await stack.context.perform {
      let book = try stack.book()
      return (UncheckedBook(book), stack.context.changes(of: book))
    }
    await stack.context.perform {
      book.value.title = "Emma"
      book.value.tags = []
    }
    var iterator = changes.makeAsyncIterator()
    let first = await iterator.next()
    #expect(first?.keys == ["title", "tags"])
    #expect(first?.isDeleted == false)
    #expect(first?.objectID == (await stack.context.perform { book.value.objectID }))
    try await stack.context.perform {
      book.value.pages = 7
      stack.context.delete(book.value)
      try stack.context.save()
    }
    let second = await iterator.next()
    #expect(second?.keys.contains("pages") == true)
    #expect(await iterator.next() == nil)
  }

  @Test("changes of an object of another context are none, and the next save throws")
  func foreignObject() async throws {
    let stack = try ObservedStack(tracksObservation: false)
    let other = stack.container.newBackgroundContext()
    let changes = try await stack.context.perform {
      let book = try stack.book()
      return other.performAndWait { other.changes(of: book) }
    }
    var iterator = changes.makeAsyncIterator()
    #expect(await iterator.next() == nil)
    await #expect(throws: ObjectError.self) { try await other.perform { try other.save() } }
  }

  @Test(
    "a sequence keeps the object's notifications in order, starting when the sequence is created"
  )
  func notifications() async throws {
    let stack = try ObservedStack(tracksObservation: false)
    let (center, name) = (
      NotificationCenter.default, Notification.Name.NSManagedObjectContextDidSave
    )
    let saves = center.notifications(named: name, object: stack.context)
    try await stack.context.perform {
      let book = try stack.book()
      book.title = "Emma"
      try stack.context.save()
    }
    let other = stack.container.newBackgroundContext()
    try await other.perform {
      ObservedTag(context: other).name = "wit"
      try other.save()
    }
    var iterator = saves.makeAsyncIterator()
    let counts = [
      await iterator.next()?.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>,
      await iterator.next()?.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>,
    ].map { $0?.count }
    #expect(counts == [4, 0])
    var second = saves.makeAsyncIterator()
    center.post(name: name, object: stack.context)
    #expect(await second.next()?.name == name)
    #expect(await iterator.next()?.name == name)
  }

  @Test("iterating notifications ends with the task, and is possible on the main actor")
  @MainActor
  func mainActor() async {
    let name = Notification.Name("ObservationSequenceTests.mainActor")
    let posts = NotificationCenter.default.notifications(named: name)
    NotificationCenter.default.post(name: name, object: nil, userInfo: ["number": 1])
    var numbers: [Int?] = []
    for await post in posts {
      numbers.append(post.userInfo?["number"] as? Int)
      if numbers.count == 2 { break }
      NotificationCenter.default.post(name: name, object: nil, userInfo: ["number": 2])
    }
    #expect(numbers == [1, 2])
    let task = Task {
      for await _ in posts {}
      return true
    }
    task.cancel()
    #expect(await task.value)
  }
}

/// A book that is passed between blocks on its context's queue.
// Used only on that queue.
private struct UncheckedBook: @unchecked Sendable {
  let value: ObservedBook
  init(_ value: ObservedBook) { self.value = value }
}
