import CoreData
import Foundation
import KanoraCore
import OpenPostgresStore
import PostgresTestServer
import Testing
import WebTestClient

/// Several processes of the service on one database.
@Suite("Processes of the music service", .serialized)
struct MusicServiceTests {
  /// The kinds of stores that processes share.
  enum Place: String, CaseIterable {
    case file, server
  }

  private static let places = Place.allCases.filter { $0 == .file || TestServer.isPresent }

  /// Creates a store with the sample library.
  private func makeStore(_ place: Place) throws -> String {
    let url: URL
    switch place {
    case .file:
      url = FileManager.default.temporaryDirectory
        .appendingPathComponent("MusicService-\(UUID().uuidString).sqlite")
    case .server:
      PostgresStore.register()
      url = try TestServer.shared.get().newURL()
    }
    try fill(url)
    return place == .file ? url.path : url.absoluteString
  }

  private func fill(_ url: URL) throws {
    let container = NSPersistentContainer(
      name: KanoraModel.name, managedObjectModel: try KanoraModel.make())
    let description = NSPersistentStoreDescription(url: url)
    description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey)
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    let context = container.newBackgroundContext()
    try context.performAndWait {
      try SampleLibrary.fill(context)
      try context.save()
    }
    for store in container.persistentStoreCoordinator.persistentStores {
      try container.persistentStoreCoordinator.remove(store)
    }
  }

  private func firstTrack(_ service: ServiceProcess) async throws -> String {
    let list = try decoded(AlbumListBody.self, try await service.get("/albums"))
    let album = try #require(list.albums.first)
    let page = try decoded(AlbumPageBody.self, try await service.get(album.path))
    return try #require(page.tracks.first?.path)
  }

  @Test(
    "parts of a list are read in sequence and contain each album once", arguments: places)
  func lists(_ place: Place) async throws {
    let service = try ServiceProcess(try makeStore(place))
    var titles: [String] = []
    var path: String? = "/albums?limit=3"
    while let part = path {
      let list = try decoded(AlbumListBody.self, try await service.get(part))
      titles += list.albums.map(\.title)
      path = list.next
    }
    #expect(titles == ["Abbey Road", "Debut", "Kind of Blue", "Revolver"])
  }

  @Test("requests to three processes that change one track all count", arguments: places)
  func plays(_ place: Place) async throws {
    let store = try makeStore(place)
    let services = try (0..<3).map { _ in try ServiceProcess(store) }
    let path = try await firstTrack(services[0])
    let before = try TrackBody(try await services[0].get(path)).playCount
    let ports = services.map(\.port)
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<60 {
        group.addTask { try await send(ports[number % 3], path + "/plays", "POST").status }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == Array(repeating: 201, count: 60))
    for service in services {
      #expect(try TrackBody(try await service.get(path)).playCount == before + 60)
    }
  }

  @Test("a change with an old version is rejected and changes nothing", arguments: places)
  func versions(_ place: Place) async throws {
    let store = try makeStore(place)
    let (one, other) = (try ServiceProcess(store), try ServiceProcess(store))
    let path = try await firstTrack(one)
    let version = try #require(try await one.get(path).headers["etag"])
    let changed = try await other.patch(path, #"{"title": "First"}"#, version: version)
    #expect(changed.status == 200)
    #expect(try await one.patch(path, #"{"title": "Second"}"#, version: version).status == 412)
    #expect(try TrackBody(try await one.get(path)).title == "First")
    let newest = try #require(changed.headers["etag"])
    #expect(try await one.patch(path, #"{"title": "Second"}"#, version: newest).status == 200)
    #expect(try TrackBody(try await other.get(path)).title == "Second")
  }

  @Test("a change that contains the track's own title does not mark the title as edited")
  func ownTitle() async throws {
    let file = try makeStore(.file)
    let service = try ServiceProcess(file)
    let path = try await firstTrack(service)
    let answer = try await service.get(path)
    let (version, title) = (try #require(answer.headers["etag"]), try TrackBody(answer).title)
    let body = #"{"title": "\#(title)", "rating": 2}"#
    #expect(try await service.patch(path, body, version: version).status == 200)
    let desk = LibraryDesk(try KanoraStore.openExisting(URL(fileURLWithPath: file)))
    let edited = try await desk.perform("Find Tracks") { context in
      let filter = TrackFilter(query: try LibraryQuery("edited"))
      return try LibraryLists.tracks(filter, window: 0..<100, in: context).map(\.title)
    }
    #expect(!edited.contains(title))
    #expect(try TrackBody(try await service.get(path)).rating == 2)
  }

  @Test("a change is rejected if kanora has rated the track since the client read it")
  func ratedMeanwhile() async throws {
    let file = try makeStore(.file)
    let service = try ServiceProcess(file)
    let path = try await firstTrack(service)
    let answer = try await service.get(path)
    let version = try #require(answer.headers["etag"])
    let title = try TrackBody(answer).title
    let desk = LibraryDesk(try KanoraStore.openExisting(URL(fileURLWithPath: file)))
    let found = try await desk.perform("Find Track") { context in
      try LibraryLists.tracks(window: 0..<100, in: context).first { $0.title == title }?.id
    }
    let id = try #require(found)
    try await desk.rate([id], 5)
    #expect(try await service.patch(path, #"{"rating": 2}"#, version: version).status == 412)
    #expect(try TrackBody(try await service.get(path)).rating == 5)
  }

  @Test("a play changes the version of a track", arguments: places)
  func versionAfterPlay(_ place: Place) async throws {
    let service = try ServiceProcess(try makeStore(place))
    let path = try await firstTrack(service)
    let version = try #require(try await service.get(path).headers["etag"])
    let played = try #require(try await service.post(path + "/plays").headers["etag"])
    #expect(played != version)
    #expect(try await service.get(path).headers["etag"] == played)
    #expect(try await service.patch(path, #"{"rating": 2}"#, version: version).status == 412)
    #expect(try await service.patch(path, #"{"rating": 2}"#, version: played).status == 200)
  }

  @Test("a track that has the greatest play count can be played, and keeps the count")
  func greatestPlayCount() async throws {
    let file = try makeStore(.file)
    let desk = LibraryDesk(try KanoraStore.openExisting(URL(fileURLWithPath: file)))
    try await desk.perform("Set Play Counts") { context in
      let tracks = try context.fetch(NSFetchRequest<Track>(entityName: "Track"))
      for track in tracks { track.playCount = Int32.max }
    }
    let service = try ServiceProcess(file)
    let path = try await firstTrack(service)
    #expect(try await service.post(path + "/plays").status == 201)
    #expect(try TrackBody(try await service.get(path)).playCount == Int(Int32.max))
  }

  @Test("a play does not move the date of the last play back")
  func lateDate() async throws {
    let file = try makeStore(.file)
    let desk = LibraryDesk(try KanoraStore.openExisting(URL(fileURLWithPath: file)))
    // As recorded by a process whose clock is ahead.
    let date = Date.distantFuture
    try await desk.perform("Set Dates") { context in
      let tracks = try context.fetch(NSFetchRequest<Track>(entityName: "Track"))
      for track in tracks { track.lastPlayedAt = date }
    }
    let service = try ServiceProcess(file)
    let path = try await firstTrack(service)
    #expect(try await service.post(path + "/plays").status == 201)
    let reader = LibraryDesk(try KanoraStore.openExisting(URL(fileURLWithPath: file)))
    let dates = try await reader.perform("Read Dates") { context in
      try context.fetch(NSFetchRequest<Track>(entityName: "Track")).map(\.lastPlayedAt)
    }
    #expect(!dates.isEmpty && dates.allSatisfy { $0 == date })
  }

  @Test("invalid requests are rejected", arguments: places)
  func refusals(_ place: Place) async throws {
    let service = try ServiceProcess(try makeStore(place))
    let track = try await firstTrack(service)
    let version = try #require(try await service.get(track).headers["etag"])
    for path in [
      "/", "/albums/p999", "/albums/x", "/tracks/p1%27", "/albums?after=p999", "/albums/p1/x",
      "/tracks/t123", "/tracks/p99999999999999999999", "/tracks/p-1",
    ] {
      #expect(try await service.get(path).status == 404, "\(path)")
    }
    #expect(try await service.get("/albums?limit=0").status == 400)
    #expect(try await service.get("/albums?limit=x").status == 400)
    #expect(try await service.patch(track, #"{"rating": 3}"#, version: nil).status == 400)
    let long = String(repeating: "x", count: 1_001)
    for body in [
      #"{"rating": 6}"#, #"{"rating": "x"}"#, #"{"title": ""}"#, #"{"title": " "}"#,
      #"{"title": "two\nlines"}"#, #"{"title": "\u0001"}"#, #"{"title": "\#(long)"}"#, "[", "",
    ] {
      #expect(try await service.patch(track, body, version: version).status == 400, "\(body)")
    }
    #expect(try await service.get(track).headers["etag"] == version)
  }

  @Test("a too large body is rejected before its end, and ends the connection")
  func endlessBody() async throws {
    let service = try ServiceProcess(try makeStore(.file))
    let path = try await firstTrack(service)
    let count = try TrackBody(try await service.get(path)).playCount
    let head = "POST \(path)/plays HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked"
    let chunk = Data("\(head)\r\n\r\nF000000\r\n".utf8) + Data(repeating: 0x61, count: 140_000)
    let answer = try await exchange(service.port, chunk)
    #expect(answer.hasPrefix("HTTP/1.1 413 "))
    #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2)
    #expect(try TrackBody(try await service.get(path)).playCount == count)
  }

  @Test(
    "a stream has the commits of other processes, and goes on at another process", arguments: places
  )
  func events(_ place: Place) async throws {
    let store = try makeStore(place)
    let (one, other) = (try ServiceProcess(store), try ServiceProcess(store))
    let path = try await firstTrack(one)
    let stream = try one.events()
    _ = await stream.text(until: ": connected\n\n")
    #expect(try await other.post(path + "/plays").status == 201)
    let text = await stream.text(until: "\n\n")
    #expect(text.contains(#"{"kind":"update","path":"\#(path)"}"#))
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("id: ") })
    // The client misses two commits, and reconnects to the other process.
    for _ in 0..<2 { #expect(try await one.post(path + "/plays").status == 201) }
    let later = try other.events(after: String(line.dropFirst(4)))
    #expect(try await one.post(path + "/plays").status == 201)
    let missed = await later.text(until: #""transaction":5}"#)
    let numbers = missed.matches(of: /"transaction":(\d+)/).compactMap { Int($0.1) }
    #expect(numbers == [3, 4, 5])
  }

  private static func play(_ count: Int, _ port: Int, _ path: String) async throws {
    for _ in 0..<count { _ = try await send(port, path, "POST") }
  }

  @Test(
    "a stream that continues while another process commits has each event once", arguments: places)
  func eventsWhileOpening(_ place: Place) async throws {
    let store = try makeStore(place)
    let (one, other) = (try ServiceProcess(store), try ServiceProcess(store))
    let plays = try await firstTrack(one) + "/plays"
    let stream = try one.events()
    _ = await stream.text(until: ": connected\n\n")
    #expect(try await other.post(plays).status == 201)
    let text = await stream.text(until: "\n\n")
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("id: ") })
    let id = String(line.dropFirst(4))
    let port = other.port
    async let played: Void = Self.play(60, port, plays)
    var opened: [(stream: WebTestStream, text: String)] = []
    for _ in 0..<20 {
      let stream = try one.events(after: id)
      opened.append((stream, await stream.text(until: ": connected\n\n")))
    }
    try await played
    let last = #""transaction":62}"#
    for (stream, start) in opened {
      let rest = await start.contains(last) ? "" : stream.text(until: last)
      let numbers = (start + rest).matches(of: /"transaction":(\d+)/).compactMap { Int($0.1) }
      #expect(numbers == Array(3...62))
    }
  }

  @Test(
    "a client that reconnects before its first event receives the commits in between",
    arguments: places)
  func eventsBeforeFirst(_ place: Place) async throws {
    let service = try ServiceProcess(try makeStore(place))
    let plays = try await firstTrack(service) + "/plays"
    let start = await (try service.events()).text(until: ": connected\n\n")
    let line = try #require(start.split(separator: "\n").first { $0.hasPrefix("id: ") })
    #expect(try await service.post(plays).status == 201)
    let later = try service.events(after: String(line.dropFirst(4)))
    let last = #""transaction":2}"#
    #expect(await later.text(until: last).contains(last))
  }

  @Test("an unknown event id makes the client read everything again", arguments: places)
  func unknownEvent(_ place: Place) async throws {
    let service = try ServiceProcess(try makeStore(place))
    let text = await (try service.events(after: "abc")).text(until: "stale")
    #expect(text.contains("event: stale"))
  }

  @Test("metrics count requests, and the fetches of the library", arguments: places)
  func metrics(_ place: Place) async throws {
    let service = try ServiceProcess(try makeStore(place))
    #expect(try await service.get("/health").status == 200)
    for _ in 0..<3 { #expect(try await service.get("/albums").status == 200) }
    #expect(try await service.get("/nothing").status == 404)
    for method in ["DELETE", "PUT"] {
      #expect(try await send(service.port, "/albums", method).status == 404)
    }
    let lines = try await service.get("/metrics").text.split(separator: "\n")
    #expect(lines.contains(#"http_requests_total{method="GET",status="200"} 4"#))
    #expect(lines.contains(#"http_requests_total{method="GET",status="404"} 1"#))
    #expect(lines.contains(#"http_requests_total{method="other",status="404"} 2"#))
    let fetches = try #require(lines.first { $0.hasPrefix("opencoredata_fetches ") })
    #expect(try #require(fetches.split(separator: " ").last.flatMap { Int($0) }) >= 4)
  }

  @Test("requests that a page of another site makes a browser send are refused")
  func foreignPages() async throws {
    let service = try ServiceProcess(try makeStore(.file))
    let path = try await firstTrack(service)
    let plays = try TrackBody(try await service.get(path)).playCount
    func play(from origin: String) async throws -> Int {
      try await send(service.port, path + "/plays", "POST", ["Origin": origin]).status
    }
    for origin in ["http://other.example", "http://127.0.0.1.other.example", "null"] {
      #expect(try await play(from: origin) == 403)
    }
    #expect(try await play(from: "http://localhost:\(service.port)") == 201)
    #expect(try TrackBody(try await service.get(path)).playCount == plays + 1)
    let request = "GET /albums HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n\r\n"
    let answer = try await exchange(service.port, Data(request.utf8))
    #expect(answer.hasPrefix("HTTP/1.1 421"))
  }

  @Test("a signal ends streams, and the process exits with status 0", arguments: places)
  func stop(_ place: Place) async throws {
    let service = try ServiceProcess(try makeStore(place))
    let stream = try service.events()
    _ = await stream.text(until: ": connected\n\n")
    service.terminate()
    // The stream ends; it does not wait for the grace period.
    #expect(await stream.text(until: "never") == "")
    #expect(service.waitUntilEnded() == 0)
  }

  @Test(
    "a request that is being answered when the signal comes gets its answer",
    .enabled(if: TestServer.isPresent, "\(TestServer.absence ?? "")"))
  func lateAnswer() async throws {
    let server = try TestServer.shared.get()
    PostgresStore.register()
    let url = try server.newURL()
    try fill(url)
    let schema = try #require(url.absoluteString.split(separator: "schema=").last)
    let service = try ServiceProcess(url.absoluteString)
    let path = try await firstTrack(service)
    let lock = try HeldLock(on: server, "\(schema).zplay")
    let port = service.port
    async let answer = send(port, path + "/plays", "POST")
    try await lock.waitUntilWanted()
    service.terminate()
    while try await service.get("/health").status == 200 { await Task.yield() }
    lock.release()
    #expect(try await answer.status == 201)
    #expect(service.waitUntilEnded() == 0)
  }

  @Test(
    "a process is not healthy while the server is down, and then continues",
    .enabled(if: TestServer.isPresent, "\(TestServer.absence ?? "")"))
  func serverDown() async throws {
    let server = try TestServer.separate()
    defer { server.stop() }
    PostgresStore.register()
    let url = try server.newURL()
    try fill(url)
    let service = try ServiceProcess(url.absoluteString)
    let path = try await firstTrack(service)
    try server.kill()
    // The server's other processes end by themselves, a moment later.
    var health = try await service.get("/health")
    while health.status == 200 { health = try await service.get("/health") }
    #expect(health.status == 503)
    #expect(health.headers["retry-after"] == "1")
    #expect(!health.text.contains("/tmp"))
    var play = try await service.post(path + "/plays")
    while play.status == 201 { play = try await service.post(path + "/plays") }
    #expect(play.status == 503)
    try server.killAndRestart()
    #expect(try await service.get("/health").status == 200)
    #expect(try await service.post(path + "/plays").status == 201)
  }
}
