import Foundation
import Glibc
import Synchronization

/// Stands between a store and the server: cuts connections after a number of bytes, delays bytes, delivers them late, swallows
/// them, and counts round trips.
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
    /// Bytes that go through at once, each time after some milliseconds; nil for all without delay.
    var pace: (bytes: Int, milliseconds: UInt32)?
    /// The number of connections, and of those at the beginning whose bytes disappear.
    var connectionCount = 0
    var swallowedCount = 0
    var lateness = Lateness.none
    /// Whether connections are cut before a commit while bytes are kept.
    var cutsCommits = false
    /// How often bytes went to the server for the first time since bytes came from it.
    var roundTrips = 0
    var last: Direction?
  }

  /// What becomes of the next bytes to the server: their client is cut off, and they are delivered when that is asked for.
  private enum Lateness: Sendable {
    case none, armed, held, released, delivered
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

  /// Counts the round trips of some work, on connections that are open already.
  package func roundTrips(_ work: () throws -> Void) rethrows -> Int {
    state.withLock { $0.roundTrips = 0 }
    try work()
    return state.withLock { $0.roundTrips }
  }

  /// Sends a number of bytes at once, and waits for some milliseconds before each.
  package func slow(to bytes: Int, every milliseconds: UInt32) {
    state.withLock { $0.pace = (bytes, milliseconds) }
  }

  /// Lets all bytes on the connections that are open now disappear, without closing them.
  package func swallow() { state.withLock { $0.swallowedCount = $0.connectionCount } }

  /// Cuts off the client of the next bytes to the server, and keeps these bytes.
  ///
  /// - Parameter cutsCommits: Whether a connection is cut before a commit that it sends until the bytes are delivered.
  package func holdNext(cutsCommits: Bool) {
    state.withLock { state in
      state.lateness = .armed
      state.cutsCommits = cutsCommits
    }
  }

  /// Delivers the bytes that were kept, and waits until the server has closed their connection.
  ///
  /// - Returns: `false` if no bytes were kept.
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

  /// The two sockets of a connection, closed when both pumps have ended.
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

    /// Ends the client's side only.
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
      && bytes.contains(Array("COMMIT".utf8))
  }

  private func deliverLate(_ bytes: [UInt8], to server: Int32) {
    while state.withLock({ $0.lateness == .held && !$0.isClosed }) { usleep(1_000) }
    _ = bytes.withUnsafeBytes { send(server, $0.baseAddress!, $0.count, Int32(MSG_NOSIGNAL)) }
    shutdown(server, Int32(SHUT_WR))
    // The other pump reads what the server answers, until the server closes the connection.
    var answer = [UInt8](repeating: 0, count: 1 << 10)
    while recv(server, &answer, answer.count, 0) > 0 {}
    state.withLock { $0.lateness = .delivered }
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
