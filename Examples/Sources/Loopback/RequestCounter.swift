import FlyingFox
import Foundation
import Synchronization

/// A counter of the requests in progress.
///
/// > Concurrency: Shared; usable on any thread.
final class RequestCounter: HTTPHandler {
  private let handler: any HTTPHandler
  private let count = Atomic(0)
  /// Whether all further requests are answered with status 503.
  let isRefusing = Atomic(false)
  private let (ends, end) = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))

  init(_ handler: any HTTPHandler) { self.handler = handler }

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    count.add(1, ordering: .relaxed)
    defer {
      if count.subtract(1, ordering: .relaxed).newValue == 0 { end.yield() }
    }
    guard !isRefusing.load(ordering: .relaxed) else {
      return HTTPResponse(closingWith: Data(), statusCode: .serviceUnavailable)
    }
    return try await handler.handleRequest(request)
  }

  /// Waits until no request is in progress, but not longer than the given time.
  func waitUntilNone(within seconds: Double) async {
    let deadline = ContinuousClock.now + .seconds(seconds)
    let end = end
    let timer = Task {
      try await Task.sleep(until: deadline)
      end.yield()
    }
    defer { timer.cancel() }
    end.yield()
    for await _ in ends {
      if count.load(ordering: .relaxed) == 0 || ContinuousClock.now >= deadline { return }
    }
  }
}
