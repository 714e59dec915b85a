// swift-format-ignore-file
import CoreData
import OpenPersistenceKit

// The blocks of a persistence controller are sending; they cannot use values that callers keep.

@MainActor
final class NoteScreen {
  let persistence: PersistenceController
  var titles: [String] = []

  init(persistence: PersistenceController) { self.persistence = persistence }

  func load() {
    persistence.performBackgroundTask { context in
      self.titles = []  // error: main actor-isolated property 'titles' can not be mutated from a nonisolated context
    }
  }

  func awaited() async throws {
    try await persistence.performBackgroundTask { context in
      self.titles = []  // error: main actor-isolated property 'titles' can not be mutated from a nonisolated context
    }
  }
}
