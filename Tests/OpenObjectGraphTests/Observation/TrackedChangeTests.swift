import Foundation
import Observation
import OpenCoreData
import Testing

/// Changes without a setter call: merges, refreshes, undo, rollback and saves.
@Suite("Observation: changes")
struct TrackedChangeTests {
  @Test("a change of one side of a relationship changes both", arguments: ObservedStack.stores)
  func inverses(_ type: String) throws {
    let stack = try ObservedStack(type)
    try stack.context.performAndWait {
      let book = try stack.book()
      let (old, new) = (try #require(book.author), stack.author("Austen"))
      let (left, joined, to) = (
        tracking { old.books }, tracking { new.books }, tracking { book.author }
      )
      new.books.insert(book)
      #expect((left.value, joined.value, to.value) == (1, 1, 1))
    }
  }

  @Test("a displaced side of a pair changes")
  func displacedPartner() throws {
    let stack = try ObservedStack()
    try stack.context.performAndWait {
      let (first, second, third) = (try stack.book(), try stack.book(), try stack.book())
      first.sequel = third
      let (sequel, prequel) = (tracking { first.sequel }, tracking { third.prequel })
      second.sequel = third
      #expect((sequel.value, prequel.value) == (1, 1))
    }
  }

  @Test(
    "an automatic merge reports only the merged values", arguments: ObservedStack.stores)
  func merges(_ type: String) throws {
    let stack = try ObservedStack(type)
    stack.context.automaticallyMergesChangesFromParent = true
    let (book, author) = try stack.context.performAndWait {
      let book = try stack.book()
      return (book, try #require(book.author))
    }
    func calls(_ change: (ObservedBook) -> Void) throws -> [Int] {
      let calls = stack.context.performAndWait {
        [
          tracking { book.title }, tracking { book.pages }, tracking { book.author },
          tracking { author.books.count }, tracking { book.tags.count },
        ]
      }
      try stack.changeElsewhere(book, merges: false, change)
      return stack.context.performAndWait { calls.map(\.value) }
    }
    #expect(try calls { $0.title = "Emma" } == [1, 0, 0, 0, 0])
    #expect(try calls { $0.author = nil } == [0, 0, 1, 1, 0])
    #expect(try calls { $0.tags = [] } == [0, 0, 0, 0, 1])
    #expect(stack.context.performAndWait { book.title } == "Emma")
  }

  @Test(
    "D-272: a to-many relationship that the merge of a notification unloads is reported as changed")
  func droppedLists() throws {
    let stack = try ObservedStack()
    try stack.context.performAndWait {
      let book = try stack.book()
      let (title, pages, tags) = (
        tracking { book.title }, tracking { book.pages }, tracking { book.tags }
      )
      try stack.changeElsewhere(book) { $0.title = "Emma" }
      #expect((title.value, pages.value, tags.value) == (1, 0, 1))
      #expect(book.tags.count == 1)
    }
  }

  @Test(
    "a new member from another context changes a loaded list of an otherwise unchanged object"
  )
  func mergedMember() throws {
    let stack = try ObservedStack(NSSQLiteStoreType)
    try stack.context.performAndWait {
      let author = try #require(try stack.book().author)
      let books = tracking { author.books.count }
      try stack.changeElsewhere(author) { author in
        guard let context = author.managedObjectContext else { return }
        ObservedBook(context: context).author = author
      }
      #expect(books.value == 1)
      #expect(author.books.count == 2)
    }
  }

  @Test("a batch update reports the values merged by id")
  func batchUpdate() throws {
    let stack = try ObservedStack(NSSQLiteStoreType)
    try stack.context.performAndWait {
      let book = try stack.book()
      let (title, pages) = (tracking { book.title }, tracking { book.pages })
      let request = NSBatchUpdateRequest(entityName: "ObservedBook")
      request.propertiesToUpdate = ["pages": 7]
      request.resultType = .updatedObjectIDsResultType
      let result = try stack.context.execute(request) as? NSBatchUpdateResult
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSUpdatedObjectsKey: result?.result as? [NSManagedObjectID] ?? []],
        into: [stack.context])
      #expect((title.value, pages.value) == (0, 1))
      #expect(book.pages == 7)
    }
  }

  @Test(
    "a refresh that keeps changes reports the new values",
    arguments: ObservedStack.stores)
  func refresh(_ type: String) throws {
    let stack = try ObservedStack(type)
    try stack.context.performAndWait {
      let book = try stack.book()
      let (title, pages) = (tracking { book.title }, tracking { book.pages })
      try stack.changeElsewhere(book, merges: false) { $0.title = "Emma" }
      #expect(title.value == 0)
      stack.context.refresh(book, mergeChanges: true)
      #expect((title.value, pages.value) == (1, 0))
    }
  }

  @Test(
    "objects that become faults report all properties, because their next values are not known")
  func faults() throws {
    let stack = try ObservedStack()
    try stack.context.performAndWait {
      let book = try stack.book()
      let (title, tags) = (tracking { book.title }, tracking { book.tags })
      stack.context.refreshAllObjects()
      #expect((title.value, tags.value) == (1, 1))
      let again = tracking { book.title }
      stack.context.refresh(book, mergeChanges: false)
      #expect(again.value == 1)
    }
  }

  @Test("a rollback reports the reverted values")
  func rollback() throws {
    let stack = try ObservedStack()
    try stack.context.performAndWait {
      let book = try stack.book()
      book.title = "Emma"
      book.tags = []
      let (title, pages, tags, changes) = (
        tracking { book.title }, tracking { book.pages }, tracking { book.tags },
        tracking { book.hasChanges }
      )
      stack.context.rollback()
      #expect((title.value, pages.value, tags.value, changes.value) == (1, 0, 1, 1))
      #expect(book.title == "Dune")
    }
  }

  @Test("a reset reports all values that were read")
  func reset() throws {
    let stack = try ObservedStack()
    try stack.context.performAndWait {
      let book = try stack.book()
      let (title, tags, isFault) = (
        tracking { book.title }, tracking { book.tags }, tracking { book.isFault }
      )
      stack.context.reset()
      #expect((title.value, tags.value, isFault.value) == (1, 1, 1))
    }
  }

  @Test("undo and redo report values, members and objects")
  func undo() throws {
    let stack = try ObservedStack()
    try stack.context.performAndWait {
      let book = try stack.book()
      let context = stack.context
      context.undoManager = UndoManager()
      book.title = "Emma"
      book.tags = []
      context.processPendingChanges()
      let (title, pages, tags) = (
        tracking { book.title }, tracking { book.pages }, tracking { book.tags }
      )
      context.undo()
      #expect((title.value, pages.value, tags.value) == (1, 0, 1))
      let again = tracking { (book.title, book.tags) }
      context.redo()
      #expect(again.value == 1)
      context.delete(book)
      context.processPendingChanges()
      let isDeleted = tracking { book.isDeleted }
      context.undo()
      #expect(isDeleted.value == 1)
    }
  }

  @Test("a deletion reports the object and the objects that refer to it")
  func deletion() throws {
    let stack = try ObservedStack()
    try stack.context.performAndWait {
      let book = try stack.book()
      let author = try #require(book.author)
      let (isDeleted, books) = (tracking { book.isDeleted }, tracking { author.books })
      stack.context.delete(book)
      #expect(isDeleted.value == 1)
      stack.context.processPendingChanges()
      #expect(books.value == 1)
      let gone = tracking { book.isDeleted }
      try stack.context.save()
      #expect(gone.value == 1)
    }
  }

  @Test("a deletion by another context is reported")
  func foreignDeletion() throws {
    let stack = try ObservedStack(NSSQLiteStoreType)
    try stack.context.performAndWait {
      let book = try stack.book()
      let isDeleted = tracking { book.isDeleted }
      try stack.changeElsewhere(book) { $0.managedObjectContext?.delete($0) }
      #expect(isDeleted.value == 1)
    }
  }

  @Test("a save reports only hasChanges and the values set in hooks")
  func save() throws {
    let stack = try ObservedStack(NSSQLiteStoreType)
    try stack.context.performAndWait {
      let book = try stack.book()
      book.title = "untitled"
      book.labels = ["a"]
      let (title, pages, labels, changes) = (
        tracking { book.title }, tracking { book.pages }, tracking { book.labels },
        tracking { book.hasChanges }
      )
      let (tags, author) = (tracking { book.tags }, tracking { book.author })
      try stack.context.save()
      #expect((title.value, changes.value) == (1, 1))
      #expect((pages.value, labels.value, tags.value, author.value) == (0, 0, 0, 0))
      #expect(book.title == "titled by the save")
    }
  }

  @Test("a save of new objects changes none of their values")
  func firstSave() throws {
    let stack = try ObservedStack(NSSQLiteStoreType)
    try stack.context.performAndWait {
      let book = ObservedBook(context: stack.context)
      book.author = stack.author("Austen")
      book.tags = [stack.tag("wit")]
      let values = tracking { (book.title, book.author, book.tags, book.chapters) }
      try stack.context.save()
      #expect(values.value == 0)
    }
  }

  @Test("a child's save reports the changes in the parent")
  func childSave() throws {
    let stack = try ObservedStack()
    try stack.context.performAndWait {
      let book = try stack.book()
      let (title, pages, tags) = (
        tracking { book.title }, tracking { book.pages }, tracking { book.tags }
      )
      let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      child.parent = stack.context
      try child.performAndWait {
        let own = try #require(try child.existingObject(with: book.objectID) as? ObservedBook)
        own.title = "Emma"
        own.tags = []
        try child.save()
      }
      #expect((title.value, pages.value, tags.value) == (1, 0, 1))
    }
  }

  @Test("a merge policy that takes the store's values reports them")
  func mergePolicy() throws {
    let stack = try ObservedStack(NSSQLiteStoreType)
    stack.context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
    try stack.context.performAndWait {
      let book = try stack.book()
      try stack.changeElsewhere(book, merges: false) { $0.title = "Emma" }
      book.title = "Persuasion"
      let (title, pages) = (tracking { book.title }, tracking { book.pages })
      try stack.context.save()
      #expect(book.title == "Emma")
      #expect((title.value, pages.value) == (1, 0))
    }
  }

  @Test("a primitive setter notifies no observer; willChangeValue and didChangeValue around it do")
  func primitives() throws {
    let stack = try ObservedStack()
    try stack.context.performAndWait {
      let book = try stack.book()
      let (title, tags) = (tracking { book.title }, tracking { book.tags })
      book.setPrimitiveValue("Emma", forKey: "title")
      #expect(title.value == 0)
      book.willChangeValue(forKey: "title")
      #expect(title.value == 1)
      book.setPrimitiveValue("Persuasion", forKey: "title")
      book.didChangeValue(forKey: "title")
      let tag = stack.tag("wit")
      book.willChangeValue(forKey: "tags", withSetMutation: .union, using: [tag])
      #expect(tags.value == 1)
      book.didChangeValue(forKey: "tags", withSetMutation: .union, using: [tag])
    }
  }

  @Test("a refreshing fetch reports the fetched values")
  func refreshingFetch() throws {
    let stack = try ObservedStack(NSSQLiteStoreType)
    try stack.context.performAndWait {
      let book = try stack.book()
      let (title, pages) = (tracking { book.title }, tracking { book.pages })
      try stack.changeElsewhere(book, merges: false) { $0.title = "Emma" }
      let request = NSFetchRequest<ObservedBook>(entityName: "ObservedBook")
      request.shouldRefreshRefetchedObjects = true
      _ = try stack.context.fetch(request)
      #expect((title.value, pages.value) == (1, 0))
    }
  }
}
