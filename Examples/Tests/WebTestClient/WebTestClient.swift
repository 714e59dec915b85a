public import Foundation
import FoundationNetworking
import Glibc

/// An answer as a browser gets it, before it follows anything.
public struct WebTestAnswer: Sendable {
  /// The status code.
  public let status: Int
  /// The body.
  public let text: String
  /// The headers, by names in lower case.
  public let headers: [String: String]
}

/// Sends a request to a site on the loopback address, with just these headers, and follows nothing.
///
/// - Parameters:
///   - port: The site's port.
///   - path: The path with its query.
///   - method: The method.
///   - headers: Headers by name.
///   - body: A form, as browsers write it.
/// - Throws: `URLError` when there is no answer.
public func send(
  _ port: Int, _ path: String, _ method: String = "GET", _ headers: [String: String] = [:],
  body: String? = nil
) async throws -> WebTestAnswer {
  let session = URLSession(
    configuration: plainConfiguration, delegate: RedirectRefusal(), delegateQueue: nil)
  defer { session.invalidateAndCancel() }
  var request = try makeRequest(port, path, headers)
  request.httpMethod = method
  // A busy machine can be slow.
  request.timeoutInterval = 600
  request.httpBody = body.map { Data($0.utf8) }
  let (data, response) = try await session.data(for: request)
  guard let http = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
  var fields: [String: String] = [:]
  for (name, value) in http.allHeaderFields { fields["\(name)".lowercased()] = "\(value)" }
  return WebTestAnswer(
    status: http.statusCode, text: String(decoding: data, as: UTF8.self), headers: fields)
}

/// Sends bytes to a site on the loopback address, and returns what the site sends until it closes the connection.
///
/// If the site waits for further bytes instead, the result ends after 10 minutes.
///
/// - Parameters:
///   - port: The site's port.
///   - bytes: The bytes.
/// - Throws: `POSIXError` if there is no connection.
public func exchange(_ port: Int, _ bytes: Data) async throws -> String {
  // The thread waits for the site, whose tasks need the threads of Swift concurrency.
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread {
      continuation.resume(with: Result { try waitForAnswer(port, bytes) })
    }
  }
}

private func waitForAnswer(_ port: Int, _ bytes: Data) throws -> String {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  defer { close(descriptor) }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = in_port_t(port).bigEndian
  address.sin_addr.s_addr = inet_addr("127.0.0.1")
  let connected = withUnsafePointer(to: address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  guard connected == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes {
      Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    // A site may answer and close the connection before it has read everything.
    if count <= 0 { break }
    rest = rest.dropFirst(count)
  }
  var answer = Data()
  var piece = [UInt8](repeating: 0, count: 65_536)
  var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  while poll(&entry, 1, 600_000) > 0 {
    let count = recv(descriptor, &piece, 65_536, 0)
    if count <= 0 { break }
    answer += piece.prefix(count)
  }
  return String(decoding: answer, as: UTF8.self)
}

private var plainConfiguration: URLSessionConfiguration {
  let configuration = URLSessionConfiguration.ephemeral
  configuration.httpShouldSetCookies = false
  return configuration
}

private func makeRequest(
  _ port: Int, _ path: String, _ headers: [String: String]
) throws -> URLRequest {
  guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else { throw URLError(.badURL) }
  var request = URLRequest(url: url)
  for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
  return request
}

private final class RedirectRefusal: NSObject, URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping (URLRequest?) -> Void
  ) { completionHandler(nil) }
}

/// A stream of text from a site that does not end by itself.
public final class WebTestStream: Sendable {
  private let session: URLSession
  private let pieces: AsyncStream<Piece>

  /// The data that arrived at once.
  public struct Piece: Sendable {
    /// The text.
    public let text: String
    /// The arrival time.
    public let time: Date
  }

  /// Opens a stream.
  ///
  /// - Parameters:
  ///   - port: The site's port.
  ///   - path: The path with its query.
  ///   - headers: Headers by name.
  public init(_ port: Int, _ path: String, _ headers: [String: String]) throws {
    let (pieces, continuation) = AsyncStream.makeStream(of: Piece.self)
    self.pieces = pieces
    session = URLSession(
      configuration: plainConfiguration, delegate: StreamReceiver(continuation), delegateQueue: nil)
    session.dataTask(with: try makeRequest(port, path, headers)).resume()
  }

  deinit { session.invalidateAndCancel() }

  /// Returns the data up to a text, or less if the stream ends.
  public func text(until mark: String) async -> String {
    var all = ""
    for await piece in pieces {
      all += piece.text
      if all.contains(mark) { break }
    }
    return all
  }

  /// Passes on each piece as it arrives, until the last piece or the end of the stream.
  public func follow(untilLast isLast: (Piece) -> Bool) async {
    for await piece in pieces where isLast(piece) { return }
  }
}

private final class StreamReceiver: NSObject, URLSessionDataDelegate {
  private let continuation: AsyncStream<WebTestStream.Piece>.Continuation

  init(_ continuation: AsyncStream<WebTestStream.Piece>.Continuation) {
    self.continuation = continuation
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    continuation.yield(
      WebTestStream.Piece(text: String(decoding: data, as: UTF8.self), time: Date()))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) { continuation.finish() }
}
