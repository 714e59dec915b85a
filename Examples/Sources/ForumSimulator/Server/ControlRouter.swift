import Foundation

/// The control pages below `/__sim/`: a test moves the clock, breaks things and reads the truth.
struct ControlRouter: Sendable {
  static let prefix = "__sim/"

  let site: ForumSite
  let faults: FaultBook
  let counters: CounterBook

  /// Answers a request whose path starts with the prefix.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - body: The body, for faults given as JSON.
  func answer(to request: SiteRequest, body: Data) -> SiteResponse {
    let name = request.path.dropFirst(Self.prefix.count)
    switch (request.method, name) {
    case ("GET", "truth.json"):
      return json(site.truth(for: request.query["user"] ?? ForumSite.defaultUserName))
    case ("GET", "counters"), ("GET", "counters.json"): return json(counters.current)
    case ("GET", "requests.txt"): return lastRequests
    case ("GET", "faults"): return json(faults.faults)
    case ("POST", "faults"): return addFault(request, body: body)
    case ("DELETE", "faults"), ("POST", "faults/clear"): return done { faults.clear() }
    case ("POST", "counters/reset"): return done { counters.reset() }
    case ("POST", "advance"): return advance(request)
    case ("POST", "delete-post"): return done { site.deletePost(request.query["id"] ?? "") }
    case ("POST", "delete-thread"): return done { site.deleteThread(request.query["id"] ?? "") }
    case ("POST", "rename-thread"):
      return done {
        site.renameThread(request.query["id"] ?? "", to: request.query["title"] ?? "")
      }
    case ("POST", "move-thread"):
      return done {
        site.moveThread(request.query["id"] ?? "", toForum: request.query["forum"] ?? "")
      }
    case ("POST", "reset"): return done { site.reset(seed: request.number("seed").map(seed)) }
    case ("POST", "demand-login"): return done { site.demandLogIn(request.query["on"] != "0") }
    case ("POST", "end-session"):
      return done { site.endSession(of: request.query["user"] ?? ForumSite.defaultUserName) }
    default: return problem("There is no control page \(request.method) /\(request.path).", 404)
    }
  }

  private var lastRequests: SiteResponse {
    SiteResponse(
      headers: [SiteResponse.Header("Content-Type", "text/plain; charset=utf-8")],
      body: Data(counters.current.lastRequests.map { $0 + "\n" }.joined().utf8))
  }

  private func advance(_ request: SiteRequest) -> SiteResponse {
    guard let seconds = request.number("seconds"), seconds >= 0 else {
      return problem("advance needs ?seconds=N with a number that is not negative.", 400)
    }
    return done { site.advance(seconds: seconds) }
  }

  /// A fault comes as JSON in the body or as parameters of the query.
  private func addFault(_ request: SiteRequest, body: Data) -> SiteResponse {
    guard let fault = fault(request, body: body) else {
      let kinds = Fault.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      return problem("A fault needs a kind out of: \(kinds).", 400)
    }
    return done { faults.add(fault) }
  }

  private func fault(_ request: SiteRequest, body: Data) -> Fault? {
    guard let kind = request.query["kind"] else {
      // A body that is no fault is answered with the list of kinds.
      return try? JSONDecoder().decode(Fault.self, from: body)
    }
    return Fault.Kind(rawValue: kind).map {
      Fault(
        $0, path: request.query["path"], after: request.number("after"),
        times: request.number("times"), amount: request.number("amount"))
    }
  }

  private func seed(_ number: Int) -> UInt64 {
    UInt64(bitPattern: Int64(number))
  }

  private func done(_ action: () -> Void) -> SiteResponse {
    action()
    let clock = Int(site.now.timeIntervalSince1970)
    return .json("{\"clock\":\(clock),\"revision\":\(site.revision)}")
  }

  private func problem(_ message: String, _ status: Int) -> SiteResponse {
    .json(JSONText.object([("error", .string(message))]).text, status: status)
  }

  private func json(_ value: some Encodable) -> SiteResponse {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      let text = String(decoding: try encoder.encode(value), as: UTF8.self)
      return .json(text)
    } catch {
      return problem("\(error)", 500)
    }
  }
}
