import Foundation
import Synchronization
import Testing
import WebPages

/// What open pages of a list are sent.
@Suite("Live lists")
struct LiveListTests {
  /// The rows that a test provides, with a stream that announces each change of them. Shared.
  private final class Source: Sendable {
    private let rows = Mutex<[String]>([])
    private let failure = Mutex<CocoaError?>(nil)
    private let (stream, changes) = AsyncStream.makeStream(of: Void.self)

    func set(_ ids: [String], failing error: CocoaError? = nil) {
      rows.withLock { $0 = ids }
      failure.withLock { $0 = error }
      changes.yield()
    }

    func makeList() -> LiveList {
      LiveList("numbers") { [stream] in
        stream
      } load: { [self] in
        if let error = failure.withLock({ $0 }) { throw error }
        return rows.withLock { $0 }.map { id in
          LiveRow(id: id, markup: element(.li, .id(id)) { id })
        }
      }
    }
  }

  private let source = Source()
  private let lists = LiveLists()

  private func list() async -> LiveList { await lists.list("n") { [source] in source.makeList() } }

  /// The events up to the first that contains a text, without the comments that keep connections
  /// open.
  private func events(_ queue: EventQueue, until text: String) async -> String {
    var all = ""
    while !all.contains(text), let next = await queue.next() {
      all += next.replacingOccurrences(of: ":\n\n", with: "")
    }
    return all
  }

  @Test(
    "a page receives the changes after the state that it shows, each with the number of the next state"
  )
  func following() async throws {
    source.set(["1"])
    let state = try await list().state()
    #expect(state.rows.map(\.id) == ["1"])
    let queue = await lists.open([("n", state.revision)])
    source.set(["1", "2"])
    let events = await events(queue, until: "\"2\"")
    #expect(
      events
        == "id: \(state.revision + 1)\nevent: insert\ndata: {\"after\":\"1\",\"html\":\"<li id=\\\"2\\\">2</li>\","
        + "\"id\":\"2\",\"index\":1,\"kind\":\"insert\",\"list\":\"numbers\"}\n\n")
    await lists.close(queue)
    #expect(await lists.openCount == 0)
    #expect(await queue.next() == nil)
  }

  @Test("a page that reconnects receives the missed changes, or must reload")
  func comingBack() async throws {
    source.set(["1"])
    let first = try await list().state()
    let queue = await lists.open([("n", first.revision)])
    source.set(["1", "2"])
    _ = await events(queue, until: "\"2\"")
    let again = await lists.open([("n", first.revision)])
    #expect(await events(again, until: "\"2\"").contains("event: insert"))
    for revision in [first.revision + 9, -1, Int.min, Int.max] {
      let lost = await lists.open([("n", revision)])
      #expect(await events(lost, until: "stale").contains("event: stale"))
    }
    let unknown = await lists.open([("other", 0)])
    #expect(await events(unknown, until: "stale") == EventQueue.stale)
  }

  @Test("changes while no page listens are read once, for the next page")
  func withoutPages() async throws {
    let (asked, ask) = AsyncStream.makeStream(of: Void.self)
    let (changes, change) = AsyncStream.makeStream(of: Void.self)
    let reads = Mutex(0)
    let list = LiveList("numbers") {
      // The list requests the next change after it has handled the previous one.
      AsyncStream(unfolding: {
        ask.yield()
        var iterator = changes.makeAsyncIterator()
        return await iterator.next()
      })
    } load: {
      let number = reads.withLock { count in
        count += 1
        return count
      }
      return [LiveRow(id: "row-\(number)", markup: element(.li, .id("row-\(number)")) { "" })]
    }
    let kept = await lists.list("n") { list }
    let state = try await kept.state()
    var asks = asked.makeAsyncIterator()
    await asks.next()
    for _ in 0..<3 {
      change.yield()
      await asks.next()
    }
    #expect(reads.withLock { $0 } == 1)
    let queue = await lists.open([("n", state.revision)])
    #expect(await events(queue, until: "event: insert").contains("row-2"))
    await lists.close(queue)
  }

  @Test("rows that cannot be loaded make pages reload, which then throws")
  func failure() async throws {
    source.set(["1"])
    let state = try await list().state()
    let queue = await lists.open([("n", state.revision)])
    source.set([], failing: CocoaError(.fileReadCorruptFile))
    #expect(await events(queue, until: "stale").contains("event: stale"))
    await #expect(throws: CocoaError.self) { try await self.list().state() }
    source.set(["3"])
    let mended = try await list().state()
    #expect(mended.rows.map(\.id) == ["3"])
  }

  @Test(
    "a page that does not read its events must reload, and its pending events are limited")
  func slowPage() async throws {
    let queue = EventQueue()
    let event = String(repeating: "x", count: EventQueue.limit / 2)
    for _ in 0..<5 { queue.add(event) }
    #expect(await queue.next() == EventQueue.stale)
    #expect(await queue.next() == nil)
  }

  @Test("a client whose pending events were replaced continues after the last one that was added")
  func idOfReplacedEvents() async throws {
    let queue = EventQueue()
    let event = String(repeating: "x", count: EventQueue.limit / 2)
    for number in 1...5 { queue.add(event, idLine: "id: \(number)\n") }
    #expect(await queue.next() == "id: 3\n" + EventQueue.stale)
    #expect(await queue.next() == nil)
  }

  @Test("the lists that pages show are kept, regardless of the number of requested lists")
  func manyLists() async throws {
    source.set(["1"])
    let kept = await list()
    let queue = await lists.open([("n", try await kept.state().revision)])
    for number in 0..<2_500 {
      _ = await lists.list("other \(number)") { [source] in source.makeList() }
    }
    #expect(await list() === kept)
    await lists.close(queue)
  }

  @Test("a list without pages is forgotten after some beats, one with a page is not")
  func forgetting() async throws {
    source.set(["1"])
    let kept = await list()
    let queue = await lists.open([("n", try await kept.state().revision)])
    for _ in 0..<20 { await lists.beat() }
    #expect(await list() === kept)
    await lists.close(queue)
    for _ in 0..<20 { await lists.beat() }
    #expect(await list() !== kept)
  }

  /// A list that the test does not keep.
  private struct Kept {
    weak var list: LiveList?
  }

  @Test("a list that is forgotten while a page opens it reloads the page or follows changes for it")
  func forgettingWhileOpening() async throws {
    source.set(["1"])
    // Either of the two calls can be the first one, so there are many attempts.
    for _ in 0..<500 {
      let revision = try await list().state().revision
      let kept = Kept(list: await list())
      for _ in 0..<8 { await lists.beat() }
      async let ended: Void = lists.beat()
      let queue = await lists.open([("n", revision)])
      await ended
      let isReloading = await queue.next()?.contains("stale") == true
      #expect(isReloading || kept.list != nil)
      await lists.close(queue)
      for _ in 0..<9 { await lists.beat() }
    }
  }

  @Test("a page that shows a state of a list that was forgotten reloads when it reconnects")
  func forgottenState() async throws {
    source.set(["1"])
    let shown = try await list().state()
    await lists.close(await lists.open([("n", shown.revision)]))
    for _ in 0..<20 { await lists.beat() }
    source.set(["2"])
    let present = try await list().state()
    #expect(present.rows.map(\.id) == ["2"])
    let again = await lists.open([("n", shown.revision)])
    await lists.close(again)
    #expect(await events(again, until: "stale") == EventQueue.stale)
  }
}
