import Foundation
import OpenCoreData
import OpenTestSupport
import Testing

extension RandomHistory {
  /// Does something in a context and in the model.
  ///
  /// - Returns: What it was.
  func act(in name: ReferenceModel.Name) throws -> String {
    guard let context = contexts[name] else { return "" }
    // Only one thread at a time uses both: this thread waits for the block.
    nonisolated(unsafe) let work = { () throws -> String in
      let action = try self.act(in: name, context)
      context.processPendingChanges()
      return action
    }
    // On the thread of the context's queue or on this thread.
    guard numbers.below(4) == 0 else { return try context.performAndWait(work) }
    nonisolated(unsafe) var result: Result<String, any Error>?
    let done = DispatchSemaphore(value: 0)
    context.perform {
      result = Result(catching: work)
      done.signal()
    }
    done.wait()
    return try result?.get() ?? ""
  }

  private func act(
    in name: ReferenceModel.Name, _ context: NSManagedObjectContext
  ) throws -> String {
    if name == .d { return try read(in: name, context) }
    switch numbers.below(32) {
    case 0...3: return try insert(in: name, context)
    case 4...10: return try edit(in: name, context)
    case 11, 12: return try delete(in: name, context)
    case 13...16: return try save(name, context)
    case 17, 18: return undo(name, context)
    case 19: return redo(name, context)
    case 20, 21: return try refresh(name, context)
    case 22: return try batchUpdate(in: context)
    case 23: return try batchDelete(in: context)
    case 24:
      context.rollback()
      model.rollback(name)
      return "rollback"
    case 25: return reset(name, context)
    case 26: return try failToFetch(in: name, context)
    case 27, 28: return try failToFill(in: name, context)
    case 29, 30: return try failToSave(name, context)
    default:
      context.refreshAllObjects()
      model.refreshAll(name)
      return "refresh all"
    }
  }

  private func insert(
    in name: ReferenceModel.Name, _ context: NSManagedObjectContext
  ) throws -> String {
    let fields = (0..<Self.fieldCount).map { _ in numbers.below(4) }
    let book = ShelfBook(context: context)
    book.code = Int32(nextCode)
    try assign(book, Self.store(of: nextCode))
    for (field, value) in fields.enumerated() { try set(field, value, of: book, context) }
    context.processPendingChanges()
    model.step(name, [nextCode]) { $0.insert(nextCode, fields, in: name) }
    nextCode += 1
    return "insert \(nextCode - 1) \(fields)"
  }

  private func edit(
    in name: ReferenceModel.Name, _ context: NSManagedObjectContext
  ) throws -> String {
    guard let (code, book) = try pick(in: name, context) else { return "nothing" }
    let (field, value) = (numbers.below(Self.fieldCount), numbers.below(4))
    // Setting a destination that is there already changes nothing.
    if model.view(name)[code]?[field] == value, field == 2 { return "nothing" }
    try set(field, value, of: book, context)
    model.step(name, [code]) { $0.edit(code, field, value, in: name) }
    return "edit \(code) \(field) \(value)"
  }

  private func delete(
    in name: ReferenceModel.Name, _ context: NSManagedObjectContext
  ) throws -> String {
    guard let (code, book) = try pick(in: name, context) else { return "nothing" }
    context.delete(book)
    model.step(name, [code]) { $0.delete(code, in: name) }
    return "delete \(code)"
  }

  /// Saves; what C saves is merged into A by hand, sometimes.
  private func save(
    _ name: ReferenceModel.Name, _ context: NSManagedObjectContext
  ) throws -> String {
    if name == .b {
      if model.hasLostChanges { return try failToSaveLost(context) }
      try context.save()
      contexts[.a]?.performAndWait { contexts[.a]?.processPendingChanges() }
      model.saveChild()
      return "save"
    }
    let collector = NotificationCollector(.NSManagedObjectContextDidSave, of: context)
    try context.save()
    var changes = model.save(name)
    guard name == .c, numbers.below(2) == 0, let other = contexts[.a] else { return "save" }
    for notification in collector.all {
      other.performAndWait { other.mergeChanges(fromContextDidSave: notification) }
    }
    changes.changed.formUnion(changes.named)
    changes.removed.formUnion(changes.lost)
    model.merge(changes, into: .a)
    return "save and merge into a"
  }

  /// Fails to save B, because A no longer has a book that B changed, and rolls B back.
  private func failToSaveLost(_ context: NSManagedObjectContext) throws -> String {
    let error = #expect(throws: CocoaError.self) { try context.save() }
    try #require(error?.code == .managedObjectReferentialIntegrity, "seed \(seed): \(actions)")
    let ids = context.updatedObjects.union(context.deletedObjects).filter { $0 is ShelfBook }
      .map(\.objectID)
    // Removes the faults without rows that the save left in A, which retains its objects.
    contexts[.a]?.performAndWait {
      for id in ids { _ = try? contexts[.a]?.existingObject(with: id) }
    }
    model.failToSaveChild()
    context.rollback()
    model.rollback(.b)
    return "fail to save lost objects"
  }

  private func undo(_ name: ReferenceModel.Name, _ context: NSManagedObjectContext) -> String {
    context.undo()
    model.undo(name)
    return "undo"
  }

  private func redo(_ name: ReferenceModel.Name, _ context: NSManagedObjectContext) -> String {
    context.redo()
    model.redo(name)
    return "redo"
  }

  private func reset(_ name: ReferenceModel.Name, _ context: NSManagedObjectContext) -> String {
    context.reset()
    model.reset(name)
    return "reset"
  }

  private func refresh(
    _ name: ReferenceModel.Name, _ context: NSManagedObjectContext
  ) throws -> String {
    guard let (code, book) = try pick(in: name, context), !book.isInserted,
      model.hasRow(code, for: name)
    else { return "nothing" }
    let merges = numbers.below(2) == 0
    context.refresh(book, mergeChanges: merges)
    model.refresh(code, merges: merges, in: name)
    return "refresh \(code) \(merges)"
  }

  // MARK: Reading

  /// Pins a generation, follows the stores again, or discards the read values.
  private func read(
    in name: ReferenceModel.Name, _ context: NSManagedObjectContext
  ) throws -> String {
    switch numbers.below(4) {
    case 0, 1:
      try context.setQueryGenerationFrom(.current)
      model.pin = .next
      return "pin"
    case 2:
      try context.setQueryGenerationFrom(nil)
      model.pin = .none
      return "unpin"
    default: return reset(name, context)
    }
  }

  // MARK: Calls that fail

  /// A fetch that fails changes nothing.
  private func failToFetch(
    in name: ReferenceModel.Name, _ context: NSManagedObjectContext
  ) throws -> String {
    // The rows that it reads before it fails are already known.
    _ = (try books(in: context), model.view(name))
    let store = numbers.below(2)
    faults(store).fail(1, of: FaultInjection.Call.reads)
    do {
      _ = try books(in: context)
      try #require(!faults(store).stop(), "seed \(seed): \(actions)")
    } catch {
      try #require(faults(store).stop() && FaultInjection.made(error), "seed \(seed): \(actions)")
    }
    return "fail to fetch from \(store)"
  }

  /// A fault that cannot be read has no values, and keeps the context from saving until it is refreshed.
  private func failToFill(
    in name: ReferenceModel.Name, _ context: NSManagedObjectContext
  ) throws -> String {
    guard let (code, book) = try pick(in: name, context), !book.isInserted,
      model.hasRow(code, for: name)
    else { return "nothing" }
    context.refresh(book, mergeChanges: false)
    model.refresh(code, merges: false, in: name)
    let store = Self.store(of: code)
    faults(store).fail(1, of: FaultInjection.Call.reads)
    let pages = book.pages
    guard faults(store).stop() else {
      // The value that was read stays, regardless of later failures of its source.
      _ = model.view(name)
      return "read \(code)"
    }
    try #require(pages == 0 && book.isFault, "seed \(seed): \(actions)")
    let error = #expect(throws: (any Error).self, "seed \(seed)") { try context.save() }
    try #require(
      error.map(FaultInjection.made) == true,
      "seed \(seed), \(String(describing: error)): \(actions)")
    context.refresh(book, mergeChanges: false)
    return "fail to read \(code)"
  }

  /// A save that fails in one store has saved what goes to the stores before.
  private func failToSave(
    _ name: ReferenceModel.Name, _ context: NSManagedObjectContext
  ) throws -> String {
    guard name != .b else { return "nothing" }
    let store = numbers.below(2)
    let call = numbers.below(2) == 0 ? FaultInjection.Call.commit : .writability
    faults(store).fail(1, of: [call])
    do {
      try context.save()
      try #require(!faults(store).stop(), "seed \(seed): \(actions)")
      model.save(name)
      return "save"
    } catch {
      try #require(
        faults(store).stop() && FaultInjection.made(error),
        "seed \(seed), \(String(describing: error)): \(actions)")
      // The coordinator checks all stores before it writes the first one.
      if call == .commit { model.save(name, stores: 0..<store) }
    }
    return "fail to save in \(store)"
  }

  // MARK: Objects

  private func pick(
    in name: ReferenceModel.Name, _ context: NSManagedObjectContext
  ) throws -> (Int, ShelfBook)? {
    let codes = model.view(name).keys.sorted()
    guard !codes.isEmpty else { return nil }
    let code = numbers.pick(codes)
    let book = try books(in: context).first { $0.code == code }
    return (code, try #require(book, "seed \(seed): \(name) has no book \(code): \(actions)"))
  }

  private func set(
    _ field: Int, _ value: Int, of book: ShelfBook, _ context: NSManagedObjectContext
  ) throws {
    switch field {
    case 0: book.pages = Int64(value)
    case 1: book.title = value == 0 ? nil : "title \(value)"
    default:
      let author = Self.author(value, of: Int(book.code))
      book.author = try authors(in: context).first { Int($0.code) == author }
    }
  }
}
