import CoreData
import FlyingFox
import KanoraCore
import Loopback
import Metrics
import Synchronization
import WebPages

/// A service over HTTP that several processes run on one database. Shared.
///
/// | Request | Answer |
/// |---|---|
/// | `GET /albums?limit=50&after=p12` | a part of the albums, by title |
/// | `GET /albums/p12` | an album with its tracks |
/// | `GET /tracks/p34` | a track, with its version as `ETag` |
/// | `PATCH /tracks/p34` with `If-Match` | the track with other values; 412 if it has another version |
/// | `POST /tracks/p34/plays` | the track, played once more |
/// | `GET /events` | commits of all processes, as server-sent events |
/// | `GET /health` | 200 if the database answers, 503 if it cannot be reached, 500 after another error |
/// | `GET /metrics` | numbers in Prometheus' text format |
public actor MusicService {
  private let server: LoopbackServer
  private nonisolated let routes: MusicRoutes

  /// Makes a service that does not listen yet.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - metrics: The numbers that `/metrics` shows.
  ///   - port: The port on the loopback address, behind which a proxy is expected; zero lets the system choose.
  ///   - hosts: The names under which browsers reach the service through a proxy, as in the header `Host`.
  public init(
    _ database: MusicDatabase, metrics: ServiceMetrics, port: UInt16 = 0, hosts: [String] = []
  ) {
    routes = MusicRoutes(database, metrics, BrowserGate(hosts: hosts))
    server = LoopbackServer(port: port, handler: routes)
  }

  /// Begins to listen.
  ///
  /// - Returns: The port.
  /// - Throws: `LoopbackServerError` if the port cannot be had.
  @discardableResult
  public func start() async throws -> UInt16 {
    await routes.feed.start()
    return try await server.start()
  }

  /// Ends event streams, refuses new requests, and waits for those that are being answered.
  ///
  /// - Parameter seconds: How long to wait.
  public func stop(within seconds: Double) async {
    routes.isStopping.store(true, ordering: .relaxed)
    await routes.feed.stop()
    await server.stop(within: seconds)
  }
}

/// Answers the requests of the service. Shared.
final class MusicRoutes: HTTPHandler {
  let feed: ChangeFeed
  let isStopping = Atomic(false)
  private let database: MusicDatabase
  private let metrics: ServiceMetrics
  private let gate: BrowserGate
  private static let largestBody = 100_000
  private static let greatestLimit = 200
  /// The methods of the service's requests.
  private static let methods: Set = ["GET", "PATCH", "POST"]

  init(_ database: MusicDatabase, _ metrics: ServiceMetrics, _ gate: BrowserGate) {
    feed = ChangeFeed(database)
    self.database = database
    self.metrics = metrics
    self.gate = gate
  }

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    let start = ContinuousClock.now
    var response: HTTPResponse
    // The same answer for an error, because the rest of the body is not read either.
    if let body = try? await request.readBody(upTo: Self.largestBody) {
      do {
        response = try await answer(request, body)
      } catch {
        let (status, message) = ServiceError.answer(to: error)
        response = Self.json(FailureAnswer(error: message), status)
        if status == 503 { response.headers[HTTPHeader("Retry-After")] = "1" }
      }
    } else {
      response = Self.refusedBody
    }
    let method = request.method.rawValue
    let labels = [
      // The service keeps metrics for every label value, so clients must not be able to introduce new values.
      ("method", Self.methods.contains(method) ? method : "other"),
      ("status", "\(response.statusCode.code)"),
    ]
    Counter(label: "http_requests_total", dimensions: labels).increment()
    Timer(label: "http_request", dimensions: labels).record(duration: ContinuousClock.now - start)
    return response
  }

  /// The answer to a request whose body is too large, or whose body cannot be read because of its encoding or the connection.
  private static var refusedBody: HTTPResponse {
    HTTPResponse(
      closingWith: Data(
        #"{"error":"The body cannot be read, or has more than \#(largestBody) bytes."}"#.utf8),
      statusCode: .payloadTooLarge, headers: [.contentType: "application/json"])
  }

  private func answer(_ request: HTTPRequest, _ body: Data) async throws -> HTTPResponse {
    guard !isStopping.load(ordering: .relaxed) else { throw ServiceError.stopping }
    try gate.check(request)
    let parts = request.path.split(separator: "/").map(String.init)
    switch (request.method, parts.first, parts.count) {
    case (.GET, "albums", 1): return Self.json(try await albums(request))
    case (.GET, "albums", 2): return Self.json(try await album(parts[1]))
    case (.GET, "tracks", 2): return Self.json(try await track(parts[1]))
    case (.PATCH, "tracks", 2): return Self.json(try await change(parts[1], request, body))
    case (.POST, "tracks", 3) where parts[2] == "plays":
      return Self.json(try await play(parts[1]), 201)
    case (.GET, "events", 1): return try await events(request)
    case (.GET, "health", 1):
      try await database.read {
        _ = try $0.count(for: NSFetchRequest<Library>(entityName: "Library"))
      }
      return Self.text("ok\n", "text/plain; charset=utf-8")
    case (.GET, "metrics", 1): return Self.text(metrics.text, "text/plain; version=0.0.4")
    default: throw ServiceError.notFound
    }
  }

  // MARK: Reading

  /// Returns a part of the albums, which begins after a given album, so that all parts take the same time.
  private func albums(_ request: HTTPRequest) async throws -> AlbumListAnswer {
    let query = Dictionary(request.query.map { ($0.name, $0.value) }) { $1 }
    let limit = query["limit"].map { Int($0) ?? 0 } ?? 50
    guard (1...Self.greatestLimit).contains(limit) else {
      throw ServiceError.badRequest("The limit must be a number from 1 to \(Self.greatestLimit).")
    }
    let last = query["after"]
    return try await database.read { [database] context in
      let request = NSFetchRequest<Album>(entityName: "Album")
      request.sortDescriptors = ["sortKey", "id"].map { NSSortDescriptor(key: $0, ascending: true) }
      request.fetchLimit = limit
      request.relationshipKeyPathsForPrefetching = ["artist"]
      if let last {
        let album = try database.object(Album.self, last, in: context)
        request.predicate = NSPredicate(
          format: "sortKey > %@ OR (sortKey == %@ AND id > %@)", album.sortKey, album.sortKey,
          album.id as NSUUID)
      }
      let albums = try context.fetch(request)
      let next =
        albums.count < limit ? nil : albums.last.map { MusicDatabase.name(of: $0.objectID) }
      return AlbumListAnswer(
        albums: albums.map(AlbumAnswer.init),
        next: next.map { "/albums?limit=\(limit)&after=\($0)" })
    }
  }

  private func album(_ name: String) async throws -> AlbumPageAnswer {
    try await database.read { [database] in
      AlbumPageAnswer(try database.object(Album.self, name, in: $0))
    }
  }

  private func track(_ name: String) async throws -> TrackAnswer {
    try await database.read { [database] in
      TrackAnswer(try database.object(Track.self, name, in: $0))
    }
  }

  // MARK: Writing

  private func change(
    _ name: String, _ request: HTTPRequest, _ body: Data
  ) async throws -> TrackAnswer {
    guard let version = request.headers[HTTPHeader("If-Match")] else {
      throw ServiceError.badRequest(
        "The request has no If-Match header. Send the version of the track that you read in this header."
      )
    }
    let change = try JSONDecoder().decode(TrackChange.self, from: body)
    let plain = version.trimmingCharacters(in: CharacterSet(charactersIn: "\""))
    return try await database.change(Track.self, name) {
      try change.apply(to: $0, version: plain)
    } answer: {
      TrackAnswer($0)
    }
  }

  private func play(_ name: String) async throws -> TrackAnswer {
    try await database.change(Track.self, name) {
      $0.addPlay(at: Date())
    } answer: {
      TrackAnswer($0)
    }
  }

  // MARK: Events

  private func events(_ request: HTTPRequest) async throws -> HTTPResponse {
    let queue = try await feed.open(after: request.headers[HTTPHeader("Last-Event-ID")])
    let feed = feed
    let body = EventBody(queue: queue, end: StreamEnd { Task { await feed.close(queue) } })
    return HTTPResponse(
      statusCode: .ok,
      headers: [.contentType: "text/event-stream", HTTPHeader("Cache-Control"): "no-store"],
      body: HTTPBodySequence(from: body, suggestedBufferSize: 65_536))
  }

  // MARK: Answers

  private static func json(_ answer: some Encodable, _ status: Int = 200) -> HTTPResponse {
    do {
      var headers: HTTPHeaders = [.contentType: "application/json"]
      if let track = answer as? TrackAnswer { headers[HTTPHeader("ETag")] = "\"\(track.version)\"" }
      return HTTPResponse(
        statusCode: HTTPStatusCode(status, phrase: ""), headers: headers,
        body: try JSONEncoder.service.encode(answer))
    } catch {
      return HTTPResponse(statusCode: .internalServerError)
    }
  }

  private static func text(_ text: String, _ contentType: String) -> HTTPResponse {
    HTTPResponse(
      statusCode: .ok, headers: [.contentType: contentType], body: Data(text.utf8))
  }
}
