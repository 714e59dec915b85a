public import FlyingFox
public import Foundation

extension HTTPRequest {
  /// Reads the body up to a limit, whether or not the client states its size.
  ///
  /// - Parameter limit: The maximum size in bytes.
  /// - Returns: The body; nil if it is larger. The rest of a larger body is not read, so answer with
  ///   `HTTPResponse.init(closingWith:statusCode:headers:)`.
  /// - Throws: An error of the connection or of the body's encoding.
  public func readBody(upTo limit: Int) async throws -> Data? {
    let count = bodySequence.count
    if count == 0 { return Data() }
    guard count ?? 0 <= limit else { return nil }
    var body = Data()
    // A body in chunks does not have a known size.
    for try await piece in bodySequence {
      body.append(piece)
      if body.count > limit { return nil }
    }
    return body
  }
}

extension HTTPResponse {
  /// Creates a response after which the server closes the connection.
  ///
  /// If a site refuses a request without reading its whole body, the server would parse the rest of the body as further requests.
  ///
  /// - Parameters:
  ///   - bytes: The body of the response.
  ///   - statusCode: The status.
  ///   - headers: Further headers.
  public init(closingWith bytes: Data, statusCode: HTTPStatusCode, headers: HTTPHeaders = [:]) {
    var headers = headers
    headers[.connection] = "close"
    self.init(
      statusCode: statusCode, headers: headers,
      body: HTTPBodySequence(from: ClosingBody(bytes: bytes), count: bytes.count))
  }
}
