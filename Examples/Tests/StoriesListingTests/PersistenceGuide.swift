import StoriesCore
import SwiftData

// The listings of "Persistence Implementation Guide". Where Apple's compiler refuses a line, the nearest form stands here and a
// comment says what the line was.

// MARK: Model container configuration

struct PersistenceConfig {
  static var modelContainer: ModelContainer = {
    let schema = Schema([
      Story.self,
      StoryCollection.self,
      Achievement.self,
      UserProfile.self,
    ])

    let modelConfiguration = ModelConfiguration(
      schema: schema,
      // The document has `false`; a test keeps nothing.
      isStoredInMemoryOnly: true,
      cloudKitDatabase: .none  // Consider CloudKit for future versions
    )

    do {
      return try ModelContainer(
        for: schema,
        configurations: [modelConfiguration]
      )
    } catch {
      fatalError("Could not create ModelContainer: \(error)")
    }
  }()
}

// MARK: Repository protocol

// `associatedtype T` without constraint: FetchDescriptor<T> needs a model.
protocol Repository<T> {
  associatedtype T: PersistentModel

  func fetch(_ descriptor: FetchDescriptor<T>) async throws -> [T]
  func save(_ item: T) async throws
  func delete(_ item: T) async throws
  func update(_ item: T) async throws
}

// MARK: Story repository implementation

class StoryRepository: Repository {
  typealias T = Story
  private let modelContext: ModelContext

  init(modelContext: ModelContext) {
    self.modelContext = modelContext
  }

  func fetch(_ descriptor: FetchDescriptor<Story>) async throws -> [Story] {
    try await modelContext.perform {
      try self.modelContext.fetch(descriptor)
    }
  }

  func save(_ story: Story) async throws {
    try await modelContext.perform {
      self.modelContext.insert(story)
      try self.modelContext.save()
    }
  }

  // Additional implementation...
  func delete(_ story: Story) async throws {
    try await modelContext.perform {
      self.modelContext.delete(story)
      try self.modelContext.save()
    }
  }

  func update(_ story: Story) async throws {
    try await modelContext.perform { try self.modelContext.save() }
  }
}

// MARK: Memory cache

actor StoryCache {
  private var cache: [UUID: Story] = [:]
  private let maxSize = 100

  func cache(_ story: Story) {
    if cache.count >= maxSize {
      cache.removeValue(forKey: cache.keys.first!)
    }
    cache[story.id] = story
  }

  func getCached(id: UUID) -> Story? {
    cache[id]
  }

  func clearCache() {
    cache.removeAll()
  }
}

// MARK: Persistent cache

class PersistentCache {
  private let fileManager = FileManager.default
  private let cacheDirectory: URL

  init() throws {
    cacheDirectory =
      try fileManager
      .url(for: .cachesDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
      .appendingPathComponent("StoryCache")

    try fileManager.createDirectory(
      at: cacheDirectory,
      withIntermediateDirectories: true
    )
  }

  func cacheStory(_ story: Story) throws {
    let url = cacheDirectory.appendingPathComponent(story.id.uuidString)
    let data = try JSONEncoder().encode(story)
    try data.write(to: url)
  }

  func getCachedStory(id: UUID) throws -> Story? {
    let url = cacheDirectory.appendingPathComponent(id.uuidString)
    guard fileManager.fileExists(atPath: url.path) else { return nil }

    let data = try Data(contentsOf: url)
    return try JSONDecoder().decode(Story.self, from: data)
  }
}

// MARK: Observable storage

// `ObservableObject` and `@Published` are Combine's; `@Observable` is their successor. The initializer of the document's test
// passes a repository without a cache.
@MainActor
@Observable
class StoryStorage {
  private let repository: any Repository<Story>
  private let cache: StoryCache

  private(set) var recentStories: [Story] = []
  private(set) var isLoading = false

  init(repository: any Repository<Story>, cache: StoryCache = StoryCache()) {
    self.repository = repository
    self.cache = cache
  }

  func loadRecentStories() async throws {
    isLoading = true
    defer { isLoading = false }

    let stories = try await repository.fetch(Story.recentStories())
    await MainActor.run {
      self.recentStories = stories
    }

    // Cache stories
    for story in stories {
      await cache.cache(story)
    }
  }
}

// MARK: Error handling

enum PersistenceError: LocalizedError {
  case saveFailed(Error)
  case fetchFailed(Error)
  case deleteFailed(Error)
  case cacheFailed(Error)
  case invalidData

  var errorDescription: String? {
    switch self {
    case .saveFailed(let error):
      return "Failed to save data: \(error.localizedDescription)"
    case .fetchFailed(let error):
      return "Failed to fetch data: \(error.localizedDescription)"
    case .deleteFailed(let error):
      return "Failed to delete data: \(error.localizedDescription)"
    case .cacheFailed(let error):
      return "Cache operation failed: \(error.localizedDescription)"
    case .invalidData:
      return "The data is invalid or corrupted"
    }
  }
}

extension StoryRepository {
  func saveWithRetry(_ story: Story, attempts: Int = 3) async throws {
    var lastError: Error?

    for attempt in 1...attempts {
      do {
        try await save(story)
        return
      } catch {
        lastError = error
        if attempt < attempts {
          // The document waits seconds: 1_000_000_000 * attempt.
          try await Task.sleep(nanoseconds: UInt64(1_000 * attempt))
        }
      }
    }

    throw PersistenceError.saveFailed(lastError ?? PersistenceError.invalidData)
  }
}

// MARK: Data migration

enum SchemaVersion: Int {
  case v1 = 1
  case v2
}

class MigrationManager {
  private let modelContext: ModelContext
  private(set) var ran = false

  init(modelContext: ModelContext) {
    self.modelContext = modelContext
  }

  func migrateIfNeeded() async throws {
    let currentVersion = try await getCurrentVersion()
    let targetVersion = SchemaVersion.v2

    guard currentVersion.rawValue < targetVersion.rawValue else { return }

    try await migrate(from: currentVersion, to: targetVersion)
  }

  // Not in the document: stories without pages are of the first version here.
  private func getCurrentVersion() async throws -> SchemaVersion {
    let old = FetchDescriptor<Story>(predicate: #Predicate { $0.pages.isEmpty })
    return try modelContext.fetchCount(old) > 0 ? .v1 : .v2
  }

  private func migrate(
    from currentVersion: SchemaVersion,
    to targetVersion: SchemaVersion
  ) async throws {
    switch (currentVersion, targetVersion) {
    case (.v1, .v2):
      try await migrateV1ToV2()
    default:
      break
    }
  }

  private func migrateV1ToV2() async throws {
    // Implementation details...
    for story in try modelContext.fetch(FetchDescriptor<Story>()) where story.pages.isEmpty {
      story.pages = [Page(number: 1, text: "Once upon a time")]
    }
    try modelContext.save()
    ran = true
  }
}

// MARK: Performance optimization

extension StoryRepository {
  func batchSave(_ stories: [Story]) async throws {
    try await modelContext.perform {
      for story in stories {
        self.modelContext.insert(story)
      }
      try self.modelContext.save()
    }
  }

  func batchDelete(_ stories: [Story]) async throws {
    try await modelContext.perform {
      for story in stories {
        self.modelContext.delete(story)
      }
      try self.modelContext.save()
    }
  }

  func fetchOptimized(_ descriptor: FetchDescriptor<Story>) async throws -> [Story] {
    var optimizedDescriptor = descriptor
    optimizedDescriptor.includePendingChanges = false

    return try await modelContext.perform {
      try self.modelContext.fetch(optimizedDescriptor)
    }
  }
}

// MARK: Mock repository

class MockStoryRepository: Repository {
  typealias T = Story
  private var stories: [Story] = []

  func fetch(_ descriptor: FetchDescriptor<Story>) async throws -> [Story] {
    stories
  }

  func save(_ story: Story) async throws {
    stories.append(story)
  }

  func delete(_ story: Story) async throws {
    stories.removeAll { $0.id == story.id }
  }

  // The document's mock has none, which the protocol requires.
  func update(_ story: Story) async throws {}
}
