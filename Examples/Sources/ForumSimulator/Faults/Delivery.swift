import Foundation

/// A response and its delivery: when it starts, how fast it is sent, and where it breaks off.
struct Delivery: Sendable {
  var response: SiteResponse
  var delay: Duration = .zero
  var isStalled = false
  /// The speed in bytes per second; `nil` for full speed.
  var speed: Int?
  /// The number of bytes of the body after which the connection closes; `nil` to send the whole body.
  var breaksAfter: Int?
  /// Whether the body is sent in chunks and without a length.
  var isChunked = false

  /// Creates the delivery of a response without a fault.
  init(_ response: SiteResponse) {
    self.response = response
  }

  /// Creates the delivery of a response with a fault.
  ///
  /// - Parameters:
  ///   - fault: The fault.
  ///   - target: The path and query as sent, for redirects.
  ///   - answer: Returns the regular response; not called for faults that occur before the site receives the request.
  init(_ fault: Fault, target: String, answer: () -> SiteResponse) {
    if let replacement = Self.replacement(fault, target: target) {
      self.init(replacement)
      return
    }
    self.init(answer())
    change(by: fault)
  }

  /// Returns the response of a fault that occurs before the site receives the request; `nil` for other faults.
  private static func replacement(_ fault: Fault, target: String) -> SiteResponse? {
    switch fault.kind {
    case .status: return status(fault.amount ?? 500)
    case .redirectLoop: return .redirect(to: target)
    case .otherHost:
      return .redirect(to: "http://elsewhere.lamplight.example/\(target.dropFirst())")
    case .htmlInstead: return status(200)
    case .databaseUnavailable:
      return outage(.page(ErrorPage.databaseUnavailable, status: fault.amount ?? 503))
    case .captivePortal: return .page(ErrorPage.captivePortal)
    case .jsonInstead: return .json("{\"unexpected\":true}")
    default: return nil
    }
  }

  private static func status(_ status: Int) -> SiteResponse {
    outage(
      .page(
        "<html><head><title>\(status)</title></head><body><h1>\(status)</h1></body></html>\n",
        status: status))
  }

  /// Returns a response that asks the client to wait if its status means a temporary outage.
  private static func outage(_ response: SiteResponse) -> SiteResponse {
    var response = response
    if response.status == 429 || response.status == 503 {
      response.add([SiteResponse.Header("Retry-After", "2")])
    }
    return response
  }

  private mutating func change(by fault: Fault) {
    switch fault.kind {
    case .delay: delay = .milliseconds(max(fault.amount ?? 1_000, 0))
    case .stall: isStalled = true
    case .drip: speed = max(fault.amount ?? 1_000, 1)
    case .cutBody: breaksAfter = cut(fault)
    case .badChunks:
      isChunked = true
      breaksAfter = min(max(fault.amount ?? response.body.count, 0), response.body.count)
    case .lostAnswer: loseAnswer()
    case .gzip:
      response.body = Gzip.member(holding: response.body)
      response.add([SiteResponse.Header("Content-Encoding", "gzip")])
    case .shortBody: response.body = response.body.prefix(cut(fault))
    case .emptyBody: response.body = Data()
    case .dropCookies: response.add(Session.removal)
    case .wrongContentType: replaceContentType()
    default: rewriteBody(by: fault)
    }
  }

  private mutating func rewriteBody(by fault: Fault) {
    switch fault.kind {
    case .hugePage:
      let size = min(max(fault.amount ?? 20_000_000, 0), 200_000_000)
      insert(Data(repeating: UInt8(ascii: "x"), count: size))
    case .deepNesting:
      let depth = min(max(fault.amount ?? 100_000, 0), 10_000_000)
      insert(Data(String(repeating: "<div>", count: depth).utf8))
    case .unusedBytes: insert(Data([0x81, 0x8D, 0x8F, 0x90, 0x9D]))
    case .duplicateIDs:
      RepeatedElement(in: response.body).map { response.body = $0.repeatedInPlace }
    case .threadTwice: RepeatedElement(in: response.body).map { response.body = $0.repeatedAtEnd }
    default: break
    }
  }

  /// Replaces the response with one whose headers reveal nothing of the original and whose announced body is never sent.
  private mutating func loseAnswer() {
    response = .page(String(repeating: " ", count: 1_000))
    breaksAfter = 0
  }

  private func cut(_ fault: Fault) -> Int {
    min(max(fault.amount ?? response.body.count / 2, 0), response.body.count)
  }

  private mutating func replaceContentType() {
    response.headers.removeAll { $0.name == "Content-Type" }
    response.add([SiteResponse.Header("Content-Type", "application/octet-stream")])
  }

  /// Inserts bytes before the end of the body element, or at the end of the response if there is none.
  private mutating func insert(_ bytes: Data) {
    let place = response.body.range(of: Data("</body>".utf8))?.lowerBound ?? response.body.endIndex
    response.body.insert(contentsOf: bytes, at: place)
  }
}
