import Foundation
import StoriesCore

/// Another program that works on a library, for tests of several programs and of programs that are killed.
@main
enum StoriesWorker {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3 else {
      return print("usage: stories-worker migrate|manage|read|add STORE …")
    }
    let url = URL(fileURLWithPath: arguments[2])
    switch arguments[1] {
    case "migrate": _ = try StoriesStore(.file(url))
    case "manage": try await MigrationManager(storeAt: url).migrateIfNeeded()
    case "read": try await read(url, arguments)
    case "add": try await add(url, arguments)
    default: print("unknown command \(arguments[1])")
    }
  }

  /// Reads a story to its end a number of times.
  private static func read(_ url: URL, _ arguments: [String]) async throws {
    guard arguments.count == 5, let id = UUID(uuidString: arguments[3]),
      let count = Int(arguments[4])
    else { return }
    let library = try StoryLibrary(StoriesStore(.file(url)))
    for _ in 0..<count { _ = try await library.finishReading(id) }
  }

  /// Adds stories named 1, 2 and so on.
  private static func add(_ url: URL, _ arguments: [String]) async throws {
    guard arguments.count == 4, let count = Int(arguments[3]) else { return }
    let library = try StoryLibrary(StoriesStore(.file(url)))
    for number in 1...max(1, count) {
      _ = try await library.add(StoryText(title: "\(number)", content: "Once. Twice."))
    }
  }
}
