import Foundation
import Glibc
import Synchronization

/// A proxy between a store and the server that cuts connections after a number of bytes, delays, holds back or discards bytes, and
/// counts round trips.
package final class CuttingProxy: Sendable {
  package enum Direction: Sendable {
    case toServer, toClient
  }

  private struct State {
    /// The number of bytes until the cut; nil if no cut is pending.
    var remaining: Int?
    var direction = Direction.toServer
    var hasCut = false
    var isClosed = false
    /// The number of bytes to forward at a time and the delay before each chunk; nil to forward all bytes without delay.
    var pace: (bytes: Int, milliseconds: UInt32)?
    /// The number of connections, and the number of earliest connections whose bytes are discarded.
    var connectionCount = 0
    var swallowedCount = 0
    /// The number of connections to refuse.
    var refusedCount = 0
    var lateness = Lateness.none
    /// Whether connections that send a commit are cut while bytes are held.
    var cutsCommits = false
    /// The number of times that traffic turned from the client to the server.
    var roundTrips = 0
    var last: Direction?
  }

  /// The stage of a late delivery: the client that sends the next bytes is cut off, and the bytes are delivered on request.
  private enum Lateness: Sendable {
    case none, armed, held, released, delivered
  }

  /// The folder of the proxy's socket, for use as the host in a URL.
  package let folder: String
  private let server: String
  private let listener: Int32
  private let state = Mutex(State())

  /// Creates a proxy for a server's socket and starts to listen.
  ///
  /// - Parameter server: The folder of the server's socket.
  /// - Throws: `TestServer.Failure` if the proxy cannot listen; Foundation's error if the folder cannot be created.
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

  /// Cuts the connection that exceeds a number of further bytes in a direction, before the first excess byte.
  package func cut(after count: Int, _ direction: Direction) {
    state.withLock { state in
      state.remaining = count
      state.direction = direction
      state.hasCut = false
    }
  }

  /// Cancels a pending cut, and returns whether a connection was cut.
  package func finish() -> Bool {
    state.withLock { state in
      state.remaining = nil
      return state.hasCut
    }
  }

  /// Returns the number of round trips that some work needs, on connections that are already open.
  package func roundTrips(_ work: () throws -> Void) rethrows -> Int {
    state.withLock { $0.roundTrips = 0 }
    try work()
    return state.withLock { $0.roundTrips }
  }

  /// Forwards a limited number of bytes at a time, with a delay in milliseconds before each chunk.
  package func slow(to bytes: Int, every milliseconds: UInt32) {
    state.withLock { $0.pace = (bytes, milliseconds) }
  }

  /// Discards all further bytes on the connections that are open now, without closing them.
  package func swallow() { state.withLock { $0.swallowedCount = $0.connectionCount } }

  /// Closes a number of further connections as soon as they are opened.
  package func refuse(_ count: Int) { state.withLock { $0.refusedCount = count } }

  /// Cuts off the client that sends the next bytes to the server, and holds these bytes.
  ///
  /// - Parameter cutsCommits: Whether connections that send a commit are cut until the bytes are delivered.
  package func holdNext(cutsCommits: Bool) {
    state.withLock { state in
      state.lateness = .armed
      state.cutsCommits = cutsCommits
    }
  }

  /// Delivers the held bytes, and waits until the server closes their connection.
  ///
  /// - Returns: `false` if no bytes are held.
  package func deliver() -> Bool {
    let isHeld = state.withLock { state in
      guard state.lateness == .held else { return false }
      state.lateness = .released
      return true
    }
    while isHeld, state.withLock({ $0.lateness != .delivered }) { usleep(1_000) }
    return isHeld
  }

  private func connect(_ client: Int32) {
    let isRefused = state.withLock { state in
      guard state.refusedCount > 0 else { return false }
      state.refusedCount -= 1
      return true
    }
    if isRefused {
      Glibc.close(client)
      return
    }
    let upstream = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let isConnected = Self.withAddress(server) { address, length in
      Glibc.connect(upstream, address, length) == 0
    }
    guard isConnected else {
      Glibc.close(client)
      Glibc.close(upstream)
      return
    }
    let number = state.withLock { state in
      state.connectionCount += 1
      return state.connectionCount
    }
    let ends = Ends(client, upstream, number)
    Thread.detachNewThread { self.pump(from: client, to: upstream, .toServer, ends) }
    Thread.detachNewThread { self.pump(from: upstream, to: client, .toClient, ends) }
  }

  /// The two sockets of a connection, closed when both pumps end.
  private final class Ends: Sendable {
    private let client: Int32
    private let upstream: Int32
    /// The number of the connection, from 1.
    let number: Int

    init(_ client: Int32, _ upstream: Int32, _ number: Int) {
      self.client = client
      self.upstream = upstream
      self.number = number
    }

    /// Shuts down the client's socket only.
    func cutOffClient() { shutdown(client, Int32(SHUT_RDWR)) }

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
      if isLate(direction) {
        ends.cutOffClient()
        deliverLate(Array(buffer[..<count]), to: destination)
        return
      }
      if state.withLock({ ends.number <= $0.swallowedCount }) { continue }
      if direction == .toServer, isCut(buffer[..<count]) { return }
      note(direction)
      let allowed = allowance(count, direction)
      var sent = 0
      while sent < allowed {
        let pace = state.withLock { $0.pace }
        if let pace { usleep(pace.milliseconds * 1_000) }
        let written = buffer.withUnsafeBytes {
          send(
            destination, $0.baseAddress! + sent, min(allowed - sent, pace?.bytes ?? .max),
            Int32(MSG_NOSIGNAL))
        }
        guard written > 0 else { return }
        sent += written
      }
      if allowed < count { return }
    }
  }

  private func note(_ direction: Direction) {
    state.withLock { state in
      if direction == .toServer, state.last != .toServer { state.roundTrips += 1 }
      state.last = direction
    }
  }

  private func isLate(_ direction: Direction) -> Bool {
    state.withLock { state in
      guard state.lateness == .armed, direction == .toServer else { return false }
      state.lateness = .held
      return true
    }
  }

  private func isCut(_ bytes: ArraySlice<UInt8>) -> Bool {
    state.withLock { $0.lateness == .held && $0.cutsCommits }
      && bytes.contains(Array("COMMIT\0".utf8))
  }

  private func deliverLate(_ bytes: [UInt8], to server: Int32) {
    while state.withLock({ $0.lateness == .held && !$0.isClosed }) { usleep(1_000) }
    _ = bytes.withUnsafeBytes { send(server, $0.baseAddress!, $0.count, Int32(MSG_NOSIGNAL)) }
    shutdown(server, Int32(SHUT_WR))
    // This loop and the other pump read the server's answer until the server closes the connection.
    var answer = [UInt8](repeating: 0, count: 1 << 10)
    while recv(server, &answer, answer.count, 0) > 0 {}
    state.withLock { $0.lateness = .delivered }
  }

  /// Returns how many of some bytes can pass; a smaller number than `count` cuts the connection.
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
