import Foundation
import StoriesCore
import SwiftData
import OpenPersistenceKit

/// A repository that stores nothing permanently, for tests of its clients.
final class MockStoryRepository: Repository {
  private var stories: [Story] = []
  /// Thrown by the next calls.
  var failures: [any Error] = []
  /// How often a save was tried.
  private(set) var saves = 0

  private func fail() throws {
    if !failures.isEmpty { throw failures.removeFirst() }
  }

  func fetch(_ descriptor: FetchDescriptor<Story>) async throws -> [Story] {
    try fail()
    let found = try stories.filter { try descriptor.predicate?.evaluate($0) ?? true }
      .sorted(using: descriptor.sortBy)
    return Array(found.dropFirst(descriptor.fetchOffset ?? 0).prefix(descriptor.fetchLimit ?? .max))
  }

  func save(_ story: Story) async throws {
    saves += 1
    try fail()
    // Ids are unique: the last one counts.
    stories.removeAll { $0.id == story.id }
    stories.append(story)
  }

  func delete(_ story: Story) async throws {
    try fail()
    stories.removeAll { $0.id == story.id }
  }

  func update(_ story: Story) async throws {
    try fail()
    if !stories.contains(where: { $0 === story }) { throw PersistenceError.invalidData }
  }
}
