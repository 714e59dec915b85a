import AwfulCore
import CoreData
import ForumClient
import ForumSimulator
import Foundation
import HostileMarkup
import OpenPersistenceKit
import Testing

/// A program killed at any moment leaves intact stores; the next program continues, and no post is sent twice.
@Suite("Kills of the forum reader", .serialized)
struct KillTests {
  /// The number of kills; 500 take about ten minutes.
  private static var killCount: Int {
    Int(ProcessInfo.processInfo.environment["AWFUL_KILLS"] ?? "") ?? 12
  }

  private static var seed: UInt64 {
    UInt64(ProcessInfo.processInfo.environment["AWFUL_KILL_SEED"] ?? "") ?? 9
  }

  @Test("syncing, posting, saving for later and pruning survive being killed at random moments")
  func kills() async throws {
    let trial = try await KillTrial()
    do {
      try await run(trial)
    } catch {
      await trial.end()
      throw error
    }
    await trial.end()
  }

  private func run(_ trial: KillTrial) async throws {
    print("kills: \(Self.killCount), seed \(Self.seed)")
    var dice = HostileMarkup.Dice(seed: Self.seed)
    try trial.sync()
    // An incremental sync is faster than the first one; most kills must occur before its end.
    trial.site.advance(seconds: 2_000)
    let whole = try trial.time { try trial.sync() }
    var killed = 0
    for round in 0..<Self.killCount {
      let comment: Comment = "round \(round)"
      trial.site.advance(seconds: 500 + dice.below(3_000))
      if round % 3 == 0 { try await trial.write("Killed in round \(round).") }
      if round % 5 == 0 { try await trial.saveThread(dice.below(30)) }
      try await trial.allowSendingAgain()
      let delay = Duration.milliseconds(dice.below(max(1, whole)))
      let isPruning = round % 4 == 3
      killed +=
        try await trial.kill(isPruning ? trial.pruneCommand : trial.syncCommand, after: delay)
        ? 1 : 0
      let store = try ForumStore.openExisting(trial.file)
      #expect(try store.check().isEmpty, comment)
      for (text, count) in trial.postCounts() { #expect(count <= 1, "\(comment): \(text)") }
    }
    print("killed before the end: \(killed)")
    // Undisturbed, all is brought to its end.
    for _ in 0..<3 {
      try await trial.allowSendingAgain()
      try trial.sync()
    }
    for (text, count) in trial.postCounts() { #expect(count == 1, "\(text)") }
    #expect(try await DraftDesk(trial.personal()).drafts().isEmpty)
    #expect(try await SavedThreads(trial.personal()).rows().allSatisfy { $0.state == .done })
    let truth = trial.site.truth()
    let stored = ForumLists(try ForumStore.openExisting(trial.file))
    for thread in truth.threads {
      #expect(try stored.posts(threadID: thread.id).map(\.postID) == thread.posts.map(\.id))
    }
  }
}

/// A simulated site, and a reader whose commands are other programs.
private final class KillTrial {
  let site = ForumSite(seed: 7, size: .tiny)
  let file: URL
  private let folder: URL
  private let server: ForumServer
  private let base: URL
  private var texts: [String] = []

  init() async throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("KillTrial-\(UUID().uuidString)")
    file = folder.appendingPathComponent("awful.sqlite")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    server = ForumServer(site: site)
    try await server.start()
    base = try #require(await server.baseURL)
    let client = ForumClient(base: base, cookies: try CookieFile(cookies))
    try await ForumLogIn.logIn(ForumSite.defaultUserName, password: ForumSite.password, client)
  }

  func end() async {
    await server.stop()
    // Nothing to do about a folder that stays.
    try? FileManager.default.removeItem(at: folder)
  }

  private var cookies: URL { folder.appendingPathComponent("cookies") }

  var syncCommand: [String] {
    [
      "sync", "--quiet", "--store", file.path, "--base-url", base.absoluteString, "--cookies",
      cookies.path,
    ]
  }

  var pruneCommand: [String] { ["prune", "--days", "0", "--store", file.path] }

  func personal() throws -> PersonalStore { try PersonalStore.openOrMake(beside: file) }

  /// A reply that waits to be sent.
  func write(_ text: String) async throws {
    let threads = site.truth().threads.filter { !$0.isClosed }
    let thread = threads[texts.count % threads.count]
    texts.append(text)
    let personal = try personal()
    _ = try await DraftDesk(personal).begin(.reply(toThread: thread.id), DraftText(body: text))
    try await setWaiting(where: .writing, in: personal)
  }

  /// The action of a reader after the report that the site does not have a post.
  func allowSendingAgain() async throws { try await setWaiting(where: .refused, in: personal()) }

  private func setWaiting(where state: DraftState, in personal: PersonalStore) async throws {
    try await personal.performBackgroundTask { context in
      for draft in try context.fetch(NSFetchRequest<Draft>(entityName: "Draft"))
      where draft.state == state.rawValue {
        (draft.state, draft.knownIDs) = (DraftState.waiting.rawValue, nil)
      }
    }
  }

  func saveThread(_ number: Int) async throws {
    let threads = site.truth().threads
    let thread = threads[number % threads.count]
    try await SavedThreads(personal()).add([(thread.id, thread.title)])
  }

  /// How often the site has each text.
  func postCounts() -> [String: Int] {
    let truth = site.truth()
    return Dictionary(
      uniqueKeysWithValues: texts.map { text in
        (text, truth.typedPosts(by: ForumSite.defaultUserName, containing: text).count)
      })
  }

  /// Milliseconds that some work takes.
  func time(_ work: () throws -> Void) throws -> Int {
    let start = ContinuousClock.now
    try work()
    return Int((ContinuousClock.now - start) / .milliseconds(1))
  }

  func sync() throws {
    let process = try start(syncCommand)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  /// - Returns: Whether the program was still running.
  func kill(_ command: [String], after delay: Duration) async throws -> Bool {
    let process = try start(command)
    try await Task.sleep(for: delay)
    let isRunning = process.isRunning
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    return isRunning
  }

  private func start(_ command: [String]) throws -> Process {
    let process = Process()
    let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.executableURL = own.deletingLastPathComponent().appendingPathComponent("awful")
    process.arguments = command
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }
}
