import FlyingFox
import Foundation
import Loopback
import Synchronization

/// Passes browser requests to the pages of a site, and returns responses with headers that isolate the pages from other sites.
///
/// > Concurrency: Shared; usable on any thread.
final class WebHandler: HTTPHandler {
  private static let largestForm = 1_000_000

  let source: any WebPageSource
  let lists: LiveLists
  let gate: AccessGate
  /// The port of the site while it listens.
  let port = Mutex<UInt16>(0)

  init(source: any WebPageSource, lists: LiveLists, gate: AccessGate) {
    self.source = source
    self.lists = lists
    self.gate = gate
  }

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard let method = Self.method(request.method) else {
      return try await refuse(
        request, "Not allowed", "The site accepts only GET and POST requests.", status: 405)
    }
    let port = port.withLock { $0 }
    var webRequest = Self.webRequest(method, request)
    let decision = gate.decide(
      webRequest, host: request.headers[.host], origin: request.headers[HTTPHeader("Origin")],
      fetchSite: request.headers[HTTPHeader("Sec-Fetch-Site")], port: port)
    if case .refused(let status, let reason) = decision {
      return try await refuse(request, "Not allowed", reason, status: status)
    }
    let content: Data?
    do { content = try await request.readBody(upTo: Self.largestForm) } catch {
      return try await refuse(request, "Not understood", "The form cannot be read.", status: 400)
    }
    guard let body = content else {
      return try await refuse(
        request, "Too large", "The form is larger than one million bytes.", status: 413)
    }
    if method == .post {
      let fields = Self.fields("?" + String(decoding: body, as: UTF8.self), after: "?")
      webRequest.form = Self.values(fields)
      webRequest.fieldNames = fields.map(\.name)
    }
    let response =
      if decision == .admitted {
        redirect(
          to: "/" + webRequest.path.joined(separator: "/"),
          [SiteCookie(AccessGate.cookieName(port: port), gate.token)])
      } else {
        await answer(webRequest, request)
      }
    return request.method == .HEAD ? Self.withoutBody(response) : response
  }

  private func answer(_ request: WebRequest, _ http: HTTPRequest) async -> HTTPResponse {
    do {
      let file = try PageFiles.file(at: request.path)
      let answer = if let file { file } else { try await source.answer(to: request) }
      switch answer {
      case .page(let markup, let status, let showsForeignImages):
        return self.page(markup, status: status, showsForeignImages: showsForeignImages)
      case .redirect(let path, let cookies): return redirect(to: path, cookies)
      case .file(let bytes, let contentType): return data(bytes, contentType)
      case .stream(let file, let contentType):
        return try stream(file, contentType, http.headers)
      case .events(let shown):
        return await events(shown, lastID: http.headers[HTTPHeader("Last-Event-ID")])
      }
    } catch {
      return page("Something went wrong", "\(error)", status: 500)
    }
  }

  /// Returns the page that explains why the site refuses a request. If the request has a body, the connection then ends,
  /// because the body may not have been read.
  private func refuse(
    _ request: HTTPRequest, _ title: String, _ reason: String, status: Int
  ) async throws -> HTTPResponse {
    let response = page(title, reason, status: status)
    if request.bodySequence.count == 0 {
      return request.method == .HEAD ? Self.withoutBody(response) : response
    }
    let bytes = request.method == .HEAD ? Data() : try await response.bodyData
    return HTTPResponse(
      closingWith: bytes, statusCode: response.statusCode, headers: response.headers)
  }

  // MARK: Answers

  private func events(_ shown: [(key: String, revision: Int)], lastID: String?) async
    -> HTTPResponse
  {
    var shown = shown
    if let lastID, let revisions = EventStates.revisions(lastID, count: shown.count) {
      for (place, revision) in revisions.enumerated() { shown[place].revision = revision }
    }
    let queue = await lists.open(shown)
    let lists = lists
    let body = EventBody(queue: queue, end: StreamEnd { Task { await lists.close(queue) } })
    return HTTPResponse(
      statusCode: .ok,
      headers: headers([("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")]),
      body: HTTPBodySequence(from: body, suggestedBufferSize: 65_536))
  }

  private func page(_ title: String, _ reason: String, status: Int) -> HTTPResponse {
    page(source.page(title: title, reason: reason), status: status, showsForeignImages: false)
  }

  private func page(_ markup: Markup, status: Int, showsForeignImages: Bool) -> HTTPResponse {
    HTTPResponse(
      statusCode: HTTPStatusCode(status, phrase: status == 200 ? "OK" : "Status"),
      headers: headers(
        [("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store")],
        images: showsForeignImages ? "'self' http: https:" : "'self'"),
      body: Data(markup.source.utf8))
  }

  private func data(_ bytes: Data, _ contentType: String) -> HTTPResponse {
    HTTPResponse(
      statusCode: .ok,
      headers: headers([("Content-Type", contentType), ("Cache-Control", "no-cache")]), body: bytes)
  }

  /// Returns a file or a part of it, depending on the headers of the request.
  private func stream(
    _ file: URL, _ contentType: String, _ asked: HTTPHeaders
  ) throws -> HTTPResponse {
    // `attributesOfItem` returns the attributes of a link, not those of its file.
    let file = file.resolvingSymlinksInPath()
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    guard attributes[.type] as? FileAttributeType == .typeRegular,
      let size = attributes[.size] as? NSNumber
    else { throw CocoaError(.fileReadUnknown) }
    let all = 0..<size.intValue
    let version = FileVersion(
      size: all.count, written: attributes[.modificationDate] as? Date ?? .distantPast)
    var own = [
      ("Accept-Ranges", "bytes"), ("Cache-Control", "no-cache"), ("ETag", version.tag),
      ("Last-Modified", version.date),
    ]
    if version.isKnown(by: asked[HTTPHeader("If-None-Match")]) {
      return HTTPResponse(
        statusCode: HTTPStatusCode(304, phrase: "Not Modified"), headers: headers(own))
    }
    // If the browser has parts of another version, it receives the whole file.
    let range =
      version.isMeant(byRange: asked[HTTPHeader("If-Range")]) ? asked[HTTPHeader("Range")] : nil
    var (part, status) = (all, HTTPStatusCode.ok)
    switch ByteRange(range, size: all.count) {
    case .whole: break
    case .part(let asked):
      (part, status) = (asked, HTTPStatusCode(206, phrase: "Partial Content"))
      own.append(
        ("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(all.count)"))
    case .unsatisfiable:
      own.append(("Content-Range", "bytes */\(all.count)"))
      return HTTPResponse(
        statusCode: HTTPStatusCode(416, phrase: "Range Not Satisfiable"), headers: headers(own))
    }
    own.append(("Content-Type", contentType))
    return HTTPResponse(
      statusCode: status, headers: headers(own),
      body: part.isEmpty
        ? HTTPBodySequence()
        : try HTTPBodySequence(file: file, range: part, suggestedBufferSize: 65_536))
  }

  /// Returns a redirect to a path of the site itself.
  private func redirect(to path: String, _ cookies: [SiteCookie]) -> HTTPResponse {
    let own = "/" + path.drop { $0 == "/" || $0 == "\\" }
    var headers = headers([("Location", Self.encoded(own)), ("Cache-Control", "no-store")])
    for cookie in cookies {
      headers.addValue(
        "\(cookie.name)=\(cookie.value); Path=/; HttpOnly; SameSite=Strict",
        for: HTTPHeader("Set-Cookie"))
    }
    return HTTPResponse(statusCode: HTTPStatusCode(303, phrase: "See Other"), headers: headers)
  }

  private func headers(_ own: [(String, String)], images: String = "'self'") -> HTTPHeaders {
    let policy =
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src \(images); media-src 'self'; "
      + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    var headers = HTTPHeaders()
    let common = [
      ("Content-Security-Policy", policy), ("Referrer-Policy", "no-referrer"),
      ("X-Content-Type-Options", "nosniff"), ("Cross-Origin-Resource-Policy", "same-origin"),
      ("Cross-Origin-Opener-Policy", "same-origin"),
    ]
    for (name, value) in common + own { headers.addValue(value, for: HTTPHeader(name)) }
    return headers
  }

  /// Returns the answer to a HEAD request: the headers of the answer to a GET request, including the length of its body.
  private static func withoutBody(_ response: HTTPResponse) -> HTTPResponse {
    var headers = response.headers
    if case .httpBody(let body) = response.payload, let count = body.count {
      headers[.contentLength] = String(count)
    }
    return HTTPResponse(statusCode: response.statusCode, headers: headers)
  }

  // MARK: Requests

  /// Returns a request without the fields of its form.
  private static func webRequest(
    _ method: WebRequest.Method, _ request: HTTPRequest
  ) -> WebRequest {
    WebRequest(
      method, parts(of: request.path), query: values(fields(request.target.rawValue, after: "?")),
      cookies: cookies(request.headers[.cookie]))
  }

  private static func method(_ method: HTTPMethod) -> WebRequest.Method? {
    switch method {
    case .GET, .HEAD: .get
    case .POST: .post
    default: nil
    }
  }

  private static func parts(of path: String) -> [String] {
    path.split(separator: "/").map(String.init)
  }

  /// Returns the fields of a query in the encoding of browser forms: UTF-8, with a plus sign for a space.
  private static func fields(
    _ text: String, after mark: Character
  ) -> [(name: String, value: String)] {
    guard let start = text.firstIndex(of: mark) else { return [] }
    return text[text.index(after: start)...].split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let texts = parts.map { part in
        let plain = String(part.replacing("+", with: " "))
        return plain.removingPercentEncoding ?? plain
      }
      return (texts[0], texts.count > 1 ? texts[1] : "")
    }
  }

  private static func values(_ fields: [(name: String, value: String)]) -> [String: String] {
    Dictionary(fields.map { ($0.name, $0.value) }) { _, last in last }
  }

  private static func cookies(_ header: String?) -> [String: String] {
    var cookies: [String: String] = [:]
    for pair in (header ?? "").split(separator: ";") {
      let parts = pair.split(separator: "=", maxSplits: 1).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      if parts.count == 2 { cookies[parts[0]] = parts[1] }
    }
    return cookies
  }

  /// Returns a path and query with line breaks and other characters that headers cannot contain percent-encoded.
  private static func encoded(_ path: String) -> String {
    path.addingPercentEncoding(
      withAllowedCharacters: .urlPathAllowed.union(CharacterSet(charactersIn: "?=&#%"))) ?? "/"
  }
}
