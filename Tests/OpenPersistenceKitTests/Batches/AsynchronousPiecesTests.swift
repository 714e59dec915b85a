import CoreData
import Dispatch
import Foundation
import OpenPersistenceKit
import OpenTestSupport
import Testing

@Suite("Asynchronous work in pieces")
struct AsynchronousPiecesTests {
  private static func titles(in persistence: PersistenceController) async throws -> [String] {
    try await persistence.performBackgroundTask { context in
      try BaseRepository<Track>(context: context)
        .fetch(sortDescriptors: [NSSortDescriptor(key: "playCount", ascending: true)])
        .map(\.title)
    }
  }

  private static func insert(
    _ numbers: [Int], into context: NSManagedObjectContext
  ) {
    for number in numbers {
      Track(title: "\(number)", context: context).playCount = Int32(number)
    }
  }

  @Test("each piece is a transaction; progress is reported on the caller's actor")
  @MainActor
  func pieces() async throws {
    let folder = try Folder()
    let recorder = StatementRecorder()
    let persistence = folder.open(observer: recorder.observer)
    let start = recorder.all.count
    var progress: [Int] = []
    let count = try await persistence.performInPieces(
      of: (0..<250).lazy.map { $0 }, progress: { progress.append($0) }
    ) { numbers, context in
      Self.insert(numbers, into: context)
      #expect(context.registeredObjects.count == numbers.count)
    }
    #expect(count == 250)
    #expect(progress == [100, 200, 250])
    #expect(recorder.all[start...].count { $0.hasPrefix("COMMIT") } == 3)
    #expect(try await Self.titles(in: persistence) == (0..<250).map { "\($0)" })
    #expect(try await persistence.performInPieces(of: [Int]()) { _, _ in } == 0)
  }

  @Test("the objects of a request are handled in its order, with a fetch for each piece")
  func objects() async throws {
    let folder = try Folder()
    let recorder = StatementRecorder()
    let persistence = folder.open(observer: recorder.observer)
    try await persistence.performInPieces(of: 0..<250) { Self.insert($0, into: $1) }
    let request: NSFetchRequest<Track> = Track.fetchRequest()
    request.predicate = NSPredicate(format: "playCount >= 40")
    request.sortDescriptors = [NSSortDescriptor(key: "playCount", ascending: false)]
    let start = recorder.all.count
    let count = try await persistence.performInPieces(of: request, size: 70) { tracks, context in
      #expect(tracks.map(\.playCount) == tracks.map(\.playCount).sorted(by: >))
      for track in tracks { track.title = "Changed" }
    }
    #expect(count == 210)
    let statements = recorder.all[start...]
    #expect(statements.count { $0.hasPrefix("SELECT") && $0.contains("FROM ZTRACK") } == 1 + 3)
    #expect(statements.count { $0.hasPrefix("COMMIT") } == 3)
    #expect(try await Self.titles(in: persistence).count { $0 == "Changed" } == 210)
  }

  @Test("a cancelled task stops before the next piece and reports the number of saved elements")
  func cancellation() async throws {
    let persistence = PersistenceController(inMemory: true)
    let task = Task {
      try await persistence.performInPieces(
        of: 0..<100, size: 10,
        progress: { done in if done == 30 { withUnsafeCurrentTask { $0?.cancel() } } }
      ) { Self.insert($0, into: $1) }
    }
    let error = await #expect(throws: CancelledWork<Int>.self) { try await task.value }
    #expect(error?.completed == 30)
    #expect(error?.localizedDescription.hasPrefix("The work was canceled.") == true)
    #expect(try await Self.titles(in: persistence).count == 30)
  }

  @Test("a piece that fails saves nothing, and its error is thrown unchanged")
  func failure() async throws {
    struct Refusal: Error {}
    let persistence = PersistenceController(inMemory: true)
    await #expect(throws: Refusal.self) {
      try await persistence.performInPieces(of: 0..<25, size: 10) { numbers, context in
        Self.insert(numbers, into: context)
        if numbers.contains(17) { throw Refusal() }
      }
    }
    #expect(try await Self.titles(in: persistence).count == 10)
  }

  /// Would never end if the work blocked the threads on which tasks run.
  @Test("blocked work does not prevent tasks from running", .timeLimit(.minutes(30)))
  func waiting() async throws {
    let persistence = PersistenceController(inMemory: true)
    let gate = DispatchSemaphore(value: 0)
    let count = ProcessInfo.processInfo.activeProcessorCount + 2
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<count {
        group.addTask {
          try await persistence.performInPieces(of: [number]) { numbers, context in
            gate.wait()
            Self.insert(numbers, into: context)
          }
        }
      }
      group.addTask {
        for _ in 0..<count {
          await Task.yield()
          gate.signal()
        }
      }
      try await group.waitForAll()
    }
    #expect(try await Self.titles(in: persistence).count == count)
  }
}
