import ForumSimulator
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A saved site, and the control pages that save, load and change a running one.
@Suite("Snapshots and control", .serialized)
struct SnapshotTests {
  @Test("a loaded site is the saved one and continues as it would have")
  func roundTrip() throws {
    let site = ForumSite(seed: 7)
    site.happen(times: 60)
    site.archiveThread(try #require(site.truth().threads.first?.id))
    site.run(SiteScript(steps: [.init(after: 500, .addForum)]))
    let saved = try site.save()
    let other = ForumSite(seed: 1, size: .tiny)
    try other.load(saved)
    #expect(try other.save().count > 1_000)
    for site in [site, other] {
      site.advance(seconds: 3_600)
      site.happen(times: 40)
    }
    let (one, two) = (site.truth(), other.truth())
    #expect(one.threads == two.threads)
    #expect(one.forums == two.forums)
    #expect(one.users == two.users)
    #expect(one.messages == two.messages)
    #expect(two.revision > one.revision)
  }

  @Test("a damaged snapshot is rejected with a message, and the site does not change")
  func damaged() throws {
    let site = ForumSite(seed: 7)
    let before = site.truth()
    let text = String(decoding: try site.save(), as: UTF8.self)
    let changes: [(Regex<Substring>, String)] = [
      (/"clock":\d+/, "\"clock\":-5"), (/"clock":\d+/, "\"clock\":9223372036854775807"),
      (/"nextPostDate":\d+/, "\"nextPostDate\":0"),
      (/"secondsBetweenPosts":\d+/, "\"secondsBetweenPosts\":0"),
      (/"registered":\d+/, "\"registered\":-1"), (/"busyThreads":\[\d+/, "\"busyThreads\":[99999"),
      (/"isGroup":false/, "\"isGroup\":maybe"), (/"voteSum":\d+/, "\"voteSum\":9e18"),
      (/"posts":\[\{/, "\"posts\":[],\"rest\":[{"),
      (/"sessionNumber":\d+/, "\"sessionNumber\":-1"),
    ]
    for (pattern, replacement) in changes {
      let damaged = text.replacing(pattern, with: replacement)
      #expect(damaged != text)
      let error = #expect(throws: SnapshotError.self) { try site.load(Data(damaged.utf8)) }
      #expect(error?.description.hasSuffix(".") == true)
    }
    for junk in ["", "{}", "[]", "\u{0}", String(text.prefix(text.utf8.count / 2))] {
      #expect(throws: SnapshotError.self) { try site.load(Data(junk.utf8)) }
    }
    #expect(site.truth() == before)
  }

  @Test("a running site is saved, changed, loaded and scripted by its control pages")
  func control() async throws {
    try await withServer { server, address in
      func post(_ path: String, _ body: Data? = nil) async throws -> Int {
        try await fetch(address, "__sim/\(path)", method: "POST", body: body).response.statusCode
      }
      let before = server.site.truth()
      let saved = try await fetch(address, "__sim/snapshot.json").data
      #expect(try await post("happen?times=30&seed=4") == 200)
      #expect(try await post("happen?kind=message") == 200)
      #expect(try await post("message?title=Hi&text=there") == 200)
      #expect(try await post("close-thread?id=\(before.threads[0].id)") == 200)
      #expect(server.site.truth().messages.contains { $0.title == "Hi" })
      #expect(server.site.truth().threads != before.threads)
      #expect(try await post("snapshot", saved) == 200)
      #expect(server.site.truth().threads == before.threads)
      #expect(server.site.truth().messages == before.messages)
      let script = Data("{\"steps\":[{\"after\":5,\"happening\":\"add-forum\"}]}".utf8)
      #expect(try await post("script", script) == 200)
      #expect(try await post("advance?seconds=10") == 200)
      #expect(server.site.truth().forums.count == before.forums.count + 1)
      #expect(try await post("turn-back?seconds=5") == 200)
      #expect(server.site.truth().clock == before.clock + 5)
    }
  }

  @Test("a control page rejects unknown requests and changes nothing")
  func refusals() async throws {
    try await withServer { server, address in
      let before = server.site.truth()
      for (path, status) in [
        ("happen?kind=flood", 400), ("happen?times=0", 400), ("happen?times=99999999999999", 400),
        ("snapshot", 400), ("script", 400), ("turn-back?seconds=-1", 400), ("advance", 400),
        ("dance", 404),
      ] {
        let answer = try await fetch(
          address, "__sim/\(path)", method: "POST", body: Data("{".utf8))
        #expect(answer.response.statusCode == status, "\(path)")
        #expect(String(decoding: answer.data, as: UTF8.self).contains("\"error\":"))
      }
      #expect(server.site.truth() == before)
    }
  }
}
