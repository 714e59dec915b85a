import Foundation
import Glibc
import Synchronization

/// Stands between a store and the server, and cuts a connection after a number of bytes.
package final class CuttingProxy: Sendable {
  package enum Direction: Sendable {
    case toServer, toClient
  }

  private struct State {
    /// Bytes until the cut; nil while nothing is cut.
    var remaining: Int?
    var direction = Direction.toServer
    var hasCut = false
    var isClosed = false
  }

  /// The folder of the proxy's socket, to be named as the host.
  package let folder: String
  private let server: String
  private let listener: Int32
  private let state = Mutex(State())

  /// Listens beside a server's socket.
  ///
  /// - Parameter server: The folder of the server's socket.
  package init(server: String) throws {
    self.server = server
    folder = NSTemporaryDirectory() + "proxy-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    listener = descriptor
    let isListening = Self.withAddress(folder) { address, length in
      bind(descriptor, address, length) == 0 && listen(descriptor, 32) == 0
    }
    guard isListening else { throw TestServer.Failure(description: "The proxy cannot listen.") }
    Thread.detachNewThread { [self] in
      while true {
        let client = accept(self.listener, nil, nil)
        guard client >= 0 else { return }
        self.connect(client)
      }
    }
  }

  package func close() {
    state.withLock { $0.isClosed = true }
    shutdown(listener, Int32(SHUT_RDWR))
    Glibc.close(listener)
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Cuts the connection over which a number of further bytes have gone in a direction, before the next one.
  package func cut(after count: Int, _ direction: Direction) {
    state.withLock { state in
      state.remaining = count
      state.direction = direction
      state.hasCut = false
    }
  }

  /// Ends the waiting for a cut; says whether there was one.
  package func finish() -> Bool {
    state.withLock { state in
      state.remaining = nil
      return state.hasCut
    }
  }

  private func connect(_ client: Int32) {
    let upstream = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let isConnected = Self.withAddress(server) { address, length in
      Glibc.connect(upstream, address, length) == 0
    }
    guard isConnected else {
      Glibc.close(client)
      Glibc.close(upstream)
      return
    }
    let ends = Ends(client, upstream)
    Thread.detachNewThread { self.pump(from: client, to: upstream, .toServer, ends) }
    Thread.detachNewThread { self.pump(from: upstream, to: client, .toClient, ends) }
  }

  /// The two sockets of a connection, closed when both pumps have ended.
  private final class Ends: Sendable {
    private let client: Int32
    private let upstream: Int32

    init(_ client: Int32, _ upstream: Int32) {
      self.client = client
      self.upstream = upstream
    }

    func shutDown() {
      shutdown(client, Int32(SHUT_RDWR))
      shutdown(upstream, Int32(SHUT_RDWR))
    }

    deinit {
      Glibc.close(client)
      Glibc.close(upstream)
    }
  }

  private func pump(
    from source: Int32, to destination: Int32, _ direction: Direction, _ ends: Ends
  ) {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    defer { ends.shutDown() }
    while true {
      let count = recv(source, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      let allowed = allowance(count, direction)
      var sent = 0
      while sent < allowed {
        let written = buffer.withUnsafeBytes {
          send(destination, $0.baseAddress! + sent, allowed - sent, Int32(MSG_NOSIGNAL))
        }
        guard written > 0 else { return }
        sent += written
      }
      if allowed < count { return }
    }
  }

  /// How many of some bytes go through; fewer than all cuts the connection.
  private func allowance(_ count: Int, _ direction: Direction) -> Int {
    state.withLock { state in
      guard let remaining = state.remaining, state.direction == direction else { return count }
      if count <= remaining {
        state.remaining = remaining - count
        return count
      }
      state.remaining = nil
      state.hasCut = true
      return remaining
    }
  }

  private static func withAddress(
    _ folder: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool
  ) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array((folder + "/.s.PGSQL.5432").utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }
}
