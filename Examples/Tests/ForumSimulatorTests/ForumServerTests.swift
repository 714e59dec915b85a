import ForumSimulator
import Foundation
import Loopback
import Testing
import WebTestClient

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The site on a real port, with faults and control pages.
@Suite("Forum server", .serialized)
struct ForumServerTests {
  @Test("a page over the network equals the page rendered without it")
  func samePage() async throws {
    try await withServer { server, address in
      let thread = try #require(server.site.truth().threads.first)
      let (data, response) = try await fetch(address, "showthread.php?threadid=\(thread.id)")
      let page = server.site.page(
        path: "showthread.php", query: ["threadid": thread.id], user: nil)
      #expect(data == page.body)
      #expect(response.value(forHTTPHeaderField: "Content-Type") == page.header("Content-Type"))
      #expect(response.value(forHTTPHeaderField: "X-Simulator-Revision") == "0")
    }
  }

  @Test("a HEAD request gets the headers of the page and no body")
  func head() async throws {
    try await withServer { server, address in
      let (data, response) = try await fetch(address, "index.php", method: "HEAD")
      let page = server.site.page(path: "index.php", user: nil)
      #expect(data.isEmpty)
      #expect(response.value(forHTTPHeaderField: "Content-Length") == "\(page.body.count)")
    }
  }

  @Test("many requests at once are all answered, with one marker for each thread read")
  func parallel() async throws {
    try await withServer { server, address in
      let threads = server.site.truth().threads
      let sizes = try await withThrowingTaskGroup(of: Int.self) { group in
        for thread in threads {
          group.addTask {
            try await fetch(address, "showthread.php?threadid=\(thread.id)").data.count
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(sizes.count == threads.count)
      #expect(sizes.allSatisfy { $0 > 1_000 })
      #expect(server.counters.requests == threads.count)
      #expect(server.counters.open == 0)
    }
  }

  @Test("the control pages move the clock and return the site's contents")
  func control() async throws {
    try await withServer { server, address in
      let (data, _) = try await fetch(address, "__sim/advance?seconds=3600", method: "POST")
      #expect(String(decoding: data, as: UTF8.self).contains("\"revision\":1"))
      let (truth, _) = try await fetch(address, "__sim/truth.json")
      let decoded = try JSONDecoder().decode(SiteTruth.self, from: truth)
      #expect(decoded == server.site.truth())
      let (_, bad) = try await fetch(address, "__sim/advance?seconds=-1", method: "POST")
      #expect(bad.statusCode == 400)
    }
  }

  @Test("there are no control pages unless they are enabled")
  func noControl() async throws {
    try await withServer(ForumServerOptions()) { server, address in
      let (_, response) = try await fetch(address, "__sim/advance?seconds=9", method: "POST")
      #expect(response.statusCode == 404)
      #expect(server.site.revision == 0)
    }
  }

  @Test("counters count requests by path")
  func counters() async throws {
    try await withServer { server, address in
      _ = try await fetch(address, "index.php?json=1")
      _ = try await fetch(address, "index.php")
      #expect(server.counters.requestsByPath == ["index.php": 2])
      #expect(server.counters.lastRequests == ["GET /index.php?json=1", "GET /index.php"])
      let (_, reset) = try await fetch(address, "__sim/counters/reset", method: "POST")
      #expect(reset.statusCode == 200)
      #expect(server.counters.requests == 0)
    }
  }

  @Test("a status fault occurs the given number of times, then the site answers again")
  func status() async throws {
    try await withServer { server, address in
      server.addFault(Fault(.status, path: "index.php", after: 1, times: 1, amount: 503))
      var codes: [Int] = []
      for _ in 0..<3 { codes.append(try await fetch(address, "index.php").response.statusCode) }
      #expect(codes == [200, 503, 200])
    }
  }

  @Test("a truncated body is a transport error, and an empty body is not")
  func bodies() async throws {
    try await withServer { server, address in
      server.addFault(Fault(.cutBody))
      await #expect(throws: (any Error).self) { try await fetch(address, "index.php") }
      server.clearFaults()
      server.addFault(Fault(.emptyBody))
      let empty = try await fetch(address, "index.php").data
      #expect(empty.isEmpty)
    }
  }

  @Test("a chunked body of more than eight million bytes is rejected before its end")
  func endlessBody() async throws {
    try await withServer { _, address in
      let port = try #require(address.port)
      let head = "POST /index.php HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked"
      let short = try await exchange(
        port, Data("\(head)\r\nConnection: close\r\n\r\n3\r\na=b\r\n0\r\n\r\n".utf8))
      #expect(short.hasPrefix("HTTP/1.1 200 "))
      let chunk = Data("\(head)\r\n\r\nF000000\r\n".utf8)
      let answer = try await exchange(port, chunk + Data(repeating: 0x61, count: 8_040_000))
      #expect(answer.hasPrefix("HTTP/1.1 413 "))
      // The rest of the body is not a second request.
      #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2)
    }
  }

  @Test("a stalled answer continues when the faults are cleared")
  func stall() async throws {
    try await withServer { server, address in
      server.addFault(Fault(.stall, path: "index.php"))
      async let answer = fetch(address, "index.php")
      while server.counters.open == 0 { await Task.yield() }
      server.clearFaults()
      let response = try await answer.response
      #expect(response.statusCode == 200)
    }
  }

  @Test("a stalled answer does not keep the server from stopping")
  func stopDuringStall() async throws {
    try await withServer { server, address in
      server.addFault(Fault(.stall))
      let request = Task { try await fetch(address, "index.php") }
      while server.counters.open == 0 { await Task.yield() }
      await server.stop()
      // The client sees a closed connection or an error status, by who is faster.
      let status = try? await request.value.response.statusCode
      #expect(status != 200)
    }
  }

  @Test("pages of trouble arrive in full")
  func pages() async throws {
    try await withServer { server, address in
      server.addFault(Fault(.hugePage, times: 1))
      let huge = try await fetch(address, "index.php").data
      #expect(huge.count > 20_000_000)
      server.addFault(Fault(.deepNesting, times: 1))
      let nested = try await fetch(address, "index.php").data
      #expect(nested.count > 500_000)
      server.clearFaults()
      server.addFault(Fault(.wrongContentType, times: 1))
      let wrong = try await fetch(address, "index.php").response
      #expect(wrong.value(forHTTPHeaderField: "Content-Type") == "application/octet-stream")
    }
  }

  @Test("a redirect loop never ends in a page")
  func redirectLoop() async throws {
    try await withServer { server, address in
      server.addFault(Fault(.redirectLoop))
      await #expect(throws: (any Error).self) { try await fetch(address, "index.php") }
      #expect(server.counters.requests > 1)
    }
  }

  @Test("faults are added, listed and cleared through the control pages")
  func faultControl() async throws {
    try await withServer { server, address in
      _ = try await fetch(address, "__sim/faults?kind=drip&amount=5", method: "POST")
      #expect(server.faults == [Fault(.drip, amount: 5)])
      let (_, unknown) = try await fetch(address, "__sim/faults?kind=flood", method: "POST")
      #expect(unknown.statusCode == 400)
      _ = try await fetch(address, "__sim/faults", method: "DELETE")
      #expect(server.faults.isEmpty)
    }
  }

  @Test("a port in use causes an error that names it, and a stopped server can be restarted")
  func ports() async throws {
    try await withServer { server, address in
      let port = UInt16(try #require(address.port))
      let other = ForumServer(
        site: ForumSite(seed: 1), options: ForumServerOptions(port: port))
      let error = await #expect(throws: LoopbackServerError.self) { try await other.start() }
      #expect(error?.code == .notListening)
      #expect(error?.port == port)
      await #expect(throws: LoopbackServerError.self) { try await server.start() }
      await server.stop()
      let newPort = try await server.start()
      #expect(newPort > 0)
    }
  }
}
