import CoreData
import Foundation
import StoriesCore
import SwiftData
import Testing
import OpenPersistenceKit

/// What a layer needs to run the suite of repositories.
struct RepositoryTrial<Stories: Repository> {
  let repository: Stories
  /// A story that is not saved.
  let make: (String, Date) -> Stories.Entity
  /// All stories, newest first, with an offset and a limit.
  let newest: (_ offset: Int, _ limit: Int?) -> Stories.Query
  let title: WritableKeyPath<Stories.Entity, String>
}

/// One suite for every layer that keeps stories: SwiftData, Core Data, and the mock.
@Suite("Repositories of stories")
@MainActor
struct RepositorySuite {
  enum Layer: CaseIterable, Sendable { case swiftData, coreData, mock }

  /// Runs a check on a layer.
  private func with(
    _ layer: Layer, _ check: (RepositoryTrialRunner) async throws -> Void
  ) async throws {
    let folder = try TrialFolder()
    switch layer {
    case .swiftData:
      let store = try StoriesStore(.file(folder.file))
      let context = ModelContext(store.container)
      try await check(RepositoryTrialRunner(models(StoryRepository(modelContext: context))))
    case .coreData:
      // The file of a library that SwiftData created.
      _ = try StoriesStore(.file(folder.file))
      let container = NSPersistentContainer(
        name: "Stories", managedObjectModel: try ManagedStoryRepository.makeModel())
      let description = NSPersistentStoreDescription(url: folder.file)
      description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey)
      container.persistentStoreDescriptions = [description]
      var failure: (any Error)?
      container.loadPersistentStores { failure = $1 }
      if let failure { throw failure }
      let repository = ManagedStoryRepository(context: container.viewContext)
      try await check(
        RepositoryTrialRunner(
          RepositoryTrial(
            repository: repository, make: { repository.make(title: $0, createdAt: $1) },
            newest: { offset, limit in
              let request = ManagedStory.newestFirst()
              request.fetchOffset = offset
              request.fetchLimit = limit ?? 0
              return request
            }, title: \.title)))
    case .mock:
      try await check(RepositoryTrialRunner(models(MockStoryRepository())))
    }
  }

  private func models<Stories: Repository<Story, FetchDescriptor<Story>>>(
    _ repository: Stories
  ) -> RepositoryTrial<Stories> {
    RepositoryTrial(
      repository: repository,
      make: { Story(title: $0, content: "Text.", createdAt: $1) },
      newest: { offset, limit in
        var query = StoryQuery()
        query.offset = offset
        query.limit = limit
        return query.descriptor
      }, title: \.title)
  }

  @Test("saved stories are found in order, with offset and limit", arguments: Layer.allCases)
  func fetching(_ layer: Layer) async throws {
    try await with(layer) { trial in
      try await trial.save(["a", "b", "c", "d"])
      #expect(try await trial.titles() == ["d", "c", "b", "a"])
      #expect(try await trial.titles(offset: 1, limit: 2) == ["c", "b"])
      #expect(try await trial.titles(offset: 9) == [])
    }
  }

  @Test("a changed story is found with its new value", arguments: Layer.allCases)
  func updating(_ layer: Layer) async throws {
    try await with(layer) { trial in
      try await trial.save(["a", "b"])
      try await trial.rename("a", "z")
      #expect(try await trial.titles() == ["b", "z"])
    }
  }

  @Test("a story is deleted, and the others stay", arguments: Layer.allCases)
  func deleting(_ layer: Layer) async throws {
    try await with(layer) { trial in
      try await trial.save(["a", "b", "c"])
      try await trial.delete("b")
      #expect(try await trial.titles() == ["c", "a"])
    }
  }

  @Test("a story of elsewhere cannot be updated", arguments: Layer.allCases)
  func strangers(_ layer: Layer) async throws {
    try await with(layer) { trial in
      try await trial.save(["a"])
      await #expect(throws: PersistenceError.self) { try await trial.updateStranger() }
    }
  }

  @Test("a story that is saved with retries is saved once", arguments: Layer.allCases)
  func retrying(_ layer: Layer) async throws {
    try await with(layer) { trial in
      try await trial.saveWithRetry("a")
      #expect(try await trial.titles() == ["a"])
    }
  }
}

/// The steps of the suite, whatever the items are.
@MainActor
struct RepositoryTrialRunner {
  let save: ([String]) async throws -> Void
  let saveWithRetry: (String) async throws -> Void
  let rename: (String, String) async throws -> Void
  let delete: (String) async throws -> Void
  let updateStranger: () async throws -> Void
  private let read: (Int, Int?) async throws -> [String]

  init<Stories>(_ trial: RepositoryTrial<Stories>) {
    let repository = trial.repository
    let title = trial.title
    func all() async throws -> [Stories.Entity] {
      try await repository.fetch(trial.newest(0, nil))
    }
    save = { titles in
      for (number, title) in titles.enumerated() {
        let date = Date(timeIntervalSinceReferenceDate: Double(number))
        try await repository.save(trial.make(title, date))
      }
    }
    saveWithRetry = {
      try await repository.saveWithRetry(trial.make($0, Date(timeIntervalSinceReferenceDate: 0)))
    }
    rename = { old, new in
      for var item in try await all() where item[keyPath: title] == old {
        item[keyPath: title] = new
        try await repository.update(item)
      }
    }
    delete = { name in
      for item in try await all() where item[keyPath: title] == name {
        try await repository.delete(item)
      }
    }
    updateStranger = {
      let items = try await all()
      let gone = try #require(items.first)
      try await repository.delete(gone)
      try await repository.update(gone)
    }
    read = { offset, limit in
      try await repository.fetch(trial.newest(offset, limit)).map { $0[keyPath: title] }
    }
  }

  func titles(offset: Int = 0, limit: Int? = nil) async throws -> [String] {
    try await read(offset, limit)
  }
}
