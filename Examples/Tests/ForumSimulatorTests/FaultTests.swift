import ForumClient
import ForumScraping
import ForumSimulator
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a server does to its answers on purpose, and to whose.
@Suite("Faults", .serialized)
struct FaultTests {
  @Test("an answer is lost after the request took effect")
  func lostAnswer() async throws {
    try await withServer { server, address in
      let site = server.site
      let visitor = Visitor(site)
      let thread = try #require(site.truth().threads.first { !$0.isClosed })
      let form = try visitor.form(
        .replyForm, "newreply.php", ["action": "newreply", "threadid": thread.id]
      ).form
      let key = try #require(form.controls(named: "formkey").first?.value)
      let body = Data(
        "action=postreply&threadid=\(thread.id)&formkey=\(key)&message=once&submit=1".utf8)
      server.addFault(Fault(.lostAnswer, path: "newreply.php", times: 1))
      await #expect(throws: (any Error).self) {
        try await fetch(
          address, "newreply.php", method: "POST", body: body, cookie: visitor.cookieHeader)
      }
      #expect(site.truth().typedPosts(containing: "once").count == 1)
      let again = try await fetch(
        address, "newreply.php", method: "POST", body: body, cookie: visitor.cookieHeader)
      #expect(again.response.statusCode == 200)
      #expect(site.truth().typedPosts(containing: "once").count == 2)
    }
  }

  @Test("a fault affects one account and no other")
  func user() async throws {
    try await withServer { server, address in
      server.addFault(Fault(.status, user: ForumSite.defaultUserName, amount: 500))
      let unlucky = Visitor(server.site).cookieHeader
      let other = Visitor(server.site, name: ForumSite.twelveHourUserName).cookieHeader
      var codes: [Int] = []
      for cookie in [unlucky, other, "a=b"] {
        codes.append(try await fetch(address, "index.php", cookie: cookie).response.statusCode)
      }
      #expect(codes == [500, 200, 200])
      #expect(
        server.counters.requestsByUser
          == [ForumSite.defaultUserName: 1, ForumSite.twelveHourUserName: 1, "": 1])
    }
  }

  @Test("a fault strikes its share of the requests, the same ones in every run")
  func share() async throws {
    var runs: [[Int]] = []
    for _ in 0..<2 {
      try await withServer { server, address in
        server.addFault(Fault(.status, path: "index.php", share: 30, amount: 502))
        var codes: [Int] = []
        for _ in 0..<60 {
          codes.append(try await fetch(address, "index.php?json=1").response.statusCode)
        }
        runs.append(codes)
      }
    }
    #expect(runs[0] == runs[1])
    #expect((8...28).contains(runs[0].count { $0 == 502 }))
  }

  @Test("a body in chunks without the last one is a transport error")
  func chunks() async throws {
    try await withServer { server, address in
      for amount in [nil, 100] {
        server.addFault(Fault(.badChunks, amount: amount))
        await #expect(throws: (any Error).self) { try await fetch(address, "index.php") }
        server.clearFaults()
      }
      let healthy = try await fetch(address, "index.php").response
      #expect(healthy.statusCode == 200)
    }
  }

  @Test("a compressed page is the page")
  func gzip() async throws {
    try await withServer { server, address in
      let thread = try #require(
        server.site.truth().threads.max { $0.posts.count < $1.posts.count })
      let path = "showthread.php?threadid=\(thread.id)&perpage=200"
      let plain = try await fetch(address, path).data
      #expect(plain.count > 65_535)
      server.addFault(Fault(.gzip))
      let packed = try await fetch(address, path)
      #expect(packed.data == plain)
      #expect(server.counters.bytes > plain.count * 2)
    }
  }

  @Test("a redirect to another host is one that our client does not follow")
  func otherHost() async throws {
    try await withServer { server, address in
      let client = ForumClient(
        base: address, cookies: try CookieFile(nil), idleTimeout: .seconds(600),
        totalTimeout: .seconds(600))
      server.addFault(Fault(.otherHost, times: 1))
      let error = await #expect(throws: ClientError.self) {
        try await client.page("index.php", query: [("json", "1")])
      }
      #expect(error?.code == .foreignRedirect)
      #expect(server.counters.requests == 1)
    }
  }

  @Test("a page with a post or a thread twice is read with both")
  func repeated() async throws {
    try await withServer { server, address in
      let truth = server.site.truth()
      let thread = try #require(truth.threads.first { $0.posts.count > 3 })
      server.addFault(Fault(.duplicateIDs, path: "showthread.php"))
      server.addFault(Fault(.threadTwice, path: "forumdisplay.php"))
      let posts = try await fetch(address, "showthread.php?threadid=\(thread.id)&perpage=40").data
      let page = try PageScraper.scrape([UInt8](posts)).expectThread()
      #expect(page.posts.prefix(3).map(\.id) == [0, 0, 1].map { thread.posts[$0].id })
      #expect(page.posts.count == min(thread.posts.count, 40) + 1)
      let forum = try #require(truth.forums.first { $0.threadIDs.count > 2 })
      let rows = try await fetch(address, "forumdisplay.php?forumid=\(forum.id)&perpage=40").data
      let list = try PageScraper.scrape([UInt8](rows)).expectThreadList()
      let ids = list.threads.map(\.id)
      #expect(Array(ids.dropLast()) == forum.threadIDs)
      #expect(ids.last == forum.threadIDs.first)
      #expect(list.pages.count == 1)
    }
  }

  @Test("the correct address returns the wrong kind of document")
  func wrongDocument() async throws {
    try await withServer { server, address in
      server.addFault(Fault(.htmlInstead, times: 1))
      let page = try await fetch(address, "index.php?json=1")
      #expect(page.response.statusCode == 200)
      #expect(throws: (any Error).self) { try PageScraper.scrape([UInt8](page.data)) }
      server.addFault(Fault(.jsonInstead, times: 1))
      let json = try await fetch(address, "forumdisplay.php").data
      #expect(String(decoding: json, as: UTF8.self).hasPrefix("{"))
    }
  }

  @Test("an unavailable database answers with either status")
  func database() async throws {
    try await withServer { server, address in
      for status in [200, 503] {
        server.addFault(Fault(.databaseUnavailable, times: 1, amount: status))
        let answer = try await fetch(address, "index.php")
        #expect(answer.response.statusCode == status)
        let page = try PageScraper.scrape([UInt8](answer.data))
        #expect(try page.error.kind == .databaseUnavailable)
        server.clearFaults()
      }
    }
  }

  @Test("the clock is set back once, and no event is undone")
  func clockBack() async throws {
    try await withServer { server, address in
      let before = server.site.truth()
      server.addFault(Fault(.clockBack, times: 1, amount: 7_200))
      _ = try await fetch(address, "index.php")
      _ = try await fetch(address, "index.php")
      let after = server.site.truth()
      #expect(after.clock == before.clock - 7_200)
      #expect(after.threads == before.threads)
      server.site.advance(seconds: 86_400)
      #expect(server.site.truth().clock == before.clock - 7_200 + 86_400)
    }
  }

  @Test("every kind of fault has its amount checked", arguments: Fault.Kind.allCases)
  func amounts(kind: Fault.Kind) async throws {
    let slow: Set<Fault.Kind> = [.stall, .delay, .drip, .redirectLoop, .otherHost]
    guard !slow.contains(kind) else { return }
    try await withServer { server, address in
      for amount in [Int.min, -1, 0, 3] where kind != .status && kind != .databaseUnavailable {
        server.addFault(Fault(kind, times: 1, amount: amount))
        // Some faults end in an error and some in a page; the server must outlive both.
        _ = try? await fetch(address, "index.php")
        server.clearFaults()
      }
      let healthy = try await fetch(address, "index.php").response
      #expect(healthy.statusCode == 200)
    }
  }

  @Test("the header of pages names the requested charset", arguments: PageCharset.allCases)
  func charset(charset: PageCharset) async throws {
    try await withServer(ForumServerOptions(charset: charset)) { _, address in
      let page = try await fetch(address, "index.php").response
      let expected = charset == .none ? "text/html" : "text/html; charset=\(charset.rawValue)"
      #expect(page.value(forHTTPHeaderField: "Content-Type") == expected)
      let json = try await fetch(address, "index.php?json=1").response
      #expect(json.value(forHTTPHeaderField: "Content-Type") == "application/json")
    }
  }
}
