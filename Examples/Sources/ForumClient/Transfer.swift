import ForumHTML
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One response, before any redirect is followed.
struct Answer: Sendable {
  let status: Int
  let headers: [String: String]
  let body: [UInt8]

  /// Returns a header by its case-insensitive name.
  ///
  /// - Parameter name: The name.
  func header(_ name: String) -> String? {
    headers.first { $0.key.caseInsensitiveCompare(name) == .orderedSame }?.value
  }
}

/// The URL session of all clients, which stores no cookies, caches no responses and follows no redirects.
///
/// The process has a single session, which is never released: Foundation on Linux can terminate the process when it releases a
/// session with open connections (swift-corelibs-foundation, issue 5203).
final class TransferSession: Sendable {
  static let shared = TransferSession()

  private let delegate = TransferDelegate(bodyLimitInBytes: PageDecoder.sizeLimitInBytes)
  private let session: URLSession

  private init() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  /// Sends a request.
  ///
  /// - Parameters:
  ///   - request: The request; its timeout is the longest time without a received byte.
  ///   - seconds: The longest time for the response.
  /// - Returns: The response.
  /// - Throws: `ClientError`, or an error of the session.
  func answer(to request: URLRequest, within seconds: Double) async throws -> Answer {
    try await delegate.run(session.dataTask(with: request), within: seconds)
  }
}

/// The session's delegate, which collects bodies up to the limit and refuses redirects.
///
/// Shared; the session calls it on its own queue. Each transfer's continuation is resumed exactly once, by the call that removes
/// it from the table.
final class TransferDelegate: NSObject, URLSessionDataDelegate, Sendable {
  private struct Transfer {
    let continuation: CheckedContinuation<Answer, any Error>
    var response: HTTPURLResponse?
    var body: [UInt8] = []
  }

  private let transfers = Mutex<[Int: Transfer]>([:])
  private let bodyLimitInBytes: Int

  init(bodyLimitInBytes: Int) {
    self.bodyLimitInBytes = bodyLimitInBytes
  }

  /// Runs a task to its end.
  ///
  /// - Parameters:
  ///   - task: A task of the session that has this delegate.
  ///   - seconds: The longest time for the task.
  /// - Returns: The response.
  /// - Throws: `ClientError`, or an error of the session.
  func run(_ task: URLSessionDataTask, within seconds: Double) async throws -> Answer {
    let identifier = task.taskIdentifier
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        transfers.withLock { $0[identifier] = Transfer(continuation: continuation) }
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self, weak task] in
          self?.finish(
            identifier,
            .failure(
              ClientError(
                .timeout, "The site did not finish its response within \(Int(seconds)) s.")))
          task?.cancel()
        }
        if Task.isCancelled { task.cancel() }
        task.resume()
      }
    } onCancel: {
      task.cancel()
      finish(identifier, .failure(CancellationError()))
    }
  }

  private func finish(_ identifier: Int, _ result: Result<Answer, any Error>) {
    let transfer = transfers.withLock { $0.removeValue(forKey: identifier) }
    transfer?.continuation.resume(with: result)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let identifier = dataTask.taskIdentifier
    transfers.withLock { $0[identifier]?.response = response as? HTTPURLResponse }
    guard response.expectedContentLength <= Int64(bodyLimitInBytes) else {
      finish(identifier, .failure(tooLarge))
      completionHandler(.cancel)
      return
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let identifier = dataTask.taskIdentifier
    let isTooLarge = transfers.withLock { transfers in
      guard let length = transfers[identifier]?.body.count else { return false }
      if length + data.count > bodyLimitInBytes { return true }
      transfers[identifier]?.body.append(contentsOf: data)
      return false
    }
    guard isTooLarge else { return }
    finish(identifier, .failure(tooLarge))
    dataTask.cancel()
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let identifier = task.taskIdentifier
    let transfer = transfers.withLock { $0[identifier] }
    if let error {
      let cut = transfer.flatMap { transfer in
        transfer.response.flatMap { incomplete($0, transfer.body) }
      }
      return finish(identifier, .failure(cut ?? error))
    }
    guard let response = transfer?.response ?? task.response as? HTTPURLResponse else {
      let error = ClientError(.transferFailed, "The site's response is not HTTP.")
      return finish(identifier, .failure(error))
    }
    finish(identifier, answer(response, transfer?.body ?? []))
  }

  private func answer(
    _ response: HTTPURLResponse, _ body: [UInt8]
  ) -> Result<Answer, any Error> {
    var headers: [String: String] = [:]
    for (name, value) in response.allHeaderFields {
      if let name = name as? String, let value = value as? String { headers[name] = value }
    }
    if let error = incomplete(response, body) { return .failure(error) }
    return .success(Answer(status: response.statusCode, headers: headers, body: body))
  }

  /// Returns the error for a body shorter than its stated length; the length of a compressed body cannot be checked.
  private func incomplete(_ response: HTTPURLResponse, _ body: [UInt8]) -> ClientError? {
    guard response.value(forHTTPHeaderField: "Content-Encoding") == nil,
      let stated = response.value(forHTTPHeaderField: "Content-Length").flatMap({ Int($0) }),
      body.count < stated, !(300..<400).contains(response.statusCode)
    else { return nil }
    return ClientError(
      .incompleteBody, "The response ended after \(body.count) of \(stated) bytes.")
  }

  private var tooLarge: ClientError {
    ClientError(.bodyTooLarge, "The response is larger than \(bodyLimitInBytes) bytes.")
  }
}
