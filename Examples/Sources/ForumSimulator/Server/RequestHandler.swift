import FlyingFox
import Foundation
import Loopback

/// Passes requests from the network to the site and returns its responses, subject to the active faults.
struct RequestHandler: HTTPHandler {
  private static let largestBody = 8_000_000

  let site: ForumSite
  let markup: Markup
  let charset: PageCharset
  let isControlEnabled: Bool
  let faults: FaultBook
  let counters: CounterBook

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard let body = try await request.readBody(upTo: Self.largestBody) else {
      return HTTPResponse(closingWith: Data(), statusCode: .payloadTooLarge)
    }
    let siteRequest = SiteRequest(
      method: request.method.rawValue, path: request.path, query: request.target.query(),
      contentType: request.headers[.contentType], cookie: request.headers[.cookie], body: body)
    if isControlEnabled, siteRequest.path.hasPrefix(ControlRouter.prefix) {
      let control = ControlRouter(site: site, faults: faults, counters: counters)
      return makeResponse(Delivery(control.answer(to: siteRequest, body: body)))
    }
    let response = try await deliver(siteRequest, target: request.target.rawValue)
    return request.method == .HEAD ? Self.withoutBody(response) : response
  }

  /// Returns the response to a HEAD request: the headers of the full response, without a body.
  private static func withoutBody(_ response: HTTPResponse) -> HTTPResponse {
    guard case .httpBody(let body) = response.payload else { return response }
    var headers = response.headers
    headers[.contentLength] = String(body.count ?? 0)
    return HTTPResponse(statusCode: response.statusCode, headers: headers)
  }

  private func deliver(_ request: SiteRequest, target: String) async throws -> HTTPResponse {
    let user = site.userName(of: request)
    counters.begin(method: request.method, path: request.path, target: target, user: user)
    defer { counters.close() }
    let clearings = faults.clearings
    let fault = faults.take(for: request.path, user: user)
    if fault?.kind == .clockBack { site.turnBack(seconds: fault?.amount ?? 3_600) }
    var delivery: Delivery
    if let fault {
      delivery = Delivery(fault, target: target) { respond(to: request) }
    } else {
      delivery = Delivery(respond(to: request))
    }
    delivery.response.add([SiteResponse.Header("X-Simulator-Revision", "\(site.revision)")])
    try await wait(for: delivery, clearings: clearings)
    counters.end(delivery.response)
    return makeResponse(delivery)
  }

  private func respond(to request: SiteRequest) -> SiteResponse {
    charset.label(site.respond(to: request, markup: markup))
  }

  private func wait(for delivery: Delivery, clearings: Int) async throws {
    try await Task.sleep(for: delivery.delay)
    while delivery.isStalled, faults.clearings == clearings {
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  private func makeResponse(_ delivery: Delivery) -> HTTPResponse {
    let response = delivery.response
    var headers = HTTPHeaders()
    for header in response.headers { headers.addValue(header.value, for: HTTPHeader(header.name)) }
    let bytes = DeliveredBytes(
      body: response.body, bytesPerSecond: delivery.speed, breaksAfter: delivery.breaksAfter)
    return HTTPResponse(
      statusCode: HTTPStatusCode(response.status, phrase: Self.phrase(response.status)),
      headers: headers,
      body: delivery.isChunked
        ? HTTPBodySequence(from: bytes, suggestedBufferSize: 4_096)
        : HTTPBodySequence(from: bytes, count: response.body.count, suggestedBufferSize: 65_536))
  }

  private static func phrase(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 302: "Found"
    case 404: "Not Found"
    case 429: "Too Many Requests"
    case 500: "Internal Server Error"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    default: "Status"
    }
  }
}
