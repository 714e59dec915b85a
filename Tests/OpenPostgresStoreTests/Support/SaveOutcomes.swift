import Foundation
import OpenCoreData
import OpenStoreContract
import Synchronization
import Testing

/// What became of the saves of several writers while servers fail, by the title that each save wrote.
final class SaveOutcomes: Sendable {
  private struct State {
    var saved: Set<String> = []
    var refused: Set<String> = []
    var unknown: Set<String> = []
    var isDone = false
  }

  private let state = Mutex(State())

  var savedCount: Int { state.withLock { $0.saved.count } }

  /// Waits until a number of saves have succeeded, however fast the machine is.
  func wait(forSaves count: Int) async { while savedCount < count { await Task.yield() } }

  /// Ends ``write(as:in:)``.
  func finish() { state.withLock { $0.isDone = true } }

  /// Saves one book after another until the end.
  func write(as writer: Int, in context: NSManagedObjectContext) async {
    var number = 0
    while !state.withLock({ $0.isDone }) {
      number += 1
      let title = "\(writer)-\(number)"
      await context.perform { self.save(title, in: context) }
    }
  }

  private func save(_ title: String, in context: NSManagedObjectContext) {
    let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
    book.setValue(title, forKey: "title")
    do {
      try context.save()
      state.withLock { _ = $0.saved.insert(title) }
    } catch {
      context.reset()
      let code = ((error as NSError).userInfo[OpenStoreErrorKey] as? StoreError)?.code
      switch code {
      case .unreachable?, .readOnly?: state.withLock { _ = $0.refused.insert(title) }
      case .outcomeUnknown?: state.withLock { _ = $0.unknown.insert(title) }
      default: Issue.record("\(error)")
      }
    }
  }

  /// Expects that a store contains the saved books once and no rejected books.
  func expectAgreement(with url: URL) async throws {
    let context = try Library.container(url).viewContext
    let titles = try await context.perform {
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
        .compactMap { $0.value(forKey: "title") as? String }
    }
    let end = state.withLock { $0 }
    #expect(Set(titles).count == titles.count)
    #expect(end.saved.isSubset(of: titles))
    #expect(end.refused.isDisjoint(with: titles))
    #expect(end.saved.union(end.unknown).isSuperset(of: titles))
  }
}
