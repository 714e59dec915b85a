public import Foundation
import Glibc
import Synchronization

/// A PostgreSQL server for tests: a database cluster in a temporary folder that listens on a Unix socket and ends with the process.
public final class TestServer: Sendable {
  /// The reason why no server is available, as one sentence; nil if PostgreSQL is installed.
  public static let absence: String? =
    binaries == nil
    ? "Debian's package \"postgresql\" is not installed; the tests of the PostgreSQL store are skipped."
    : nil

  /// Whether PostgreSQL is installed.
  public static var isPresent: Bool { absence == nil }

  /// The server that all tests of the process share, started on first use; a failure if it cannot start.
  public static let shared = Result { try TestServer() }

  /// The folder of the server's programs, of the newest installed version.
  private static let binaries: String? = {
    let root = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    return versions.sorted { (Int($0) ?? 0) < (Int($1) ?? 0) }.map { "\(root)/\($0)/bin" }
      .last { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
  }()

  private let folder: URL
  private let counter = Atomic<Int>(0)
  private let running: Mutex<Running?>

  /// The shell that runs the server, and the end of the pipe that stops both when it is closed.
  // Invariant: used by one thread at a time.
  private struct Running: @unchecked Sendable {
    let process: Process
    let lifeline: FileHandle
  }

  /// The error of a server that cannot be started or used.
  public struct Failure: Error, CustomStringConvertible {
    /// A description of the failure.
    public let description: String

    package init(description: String) { self.description = description }
  }

  /// Starts a separate server, for a test that stops or kills it.
  ///
  /// - Returns: A server that does not share its cluster with `shared`.
  /// - Throws: `Failure` if PostgreSQL is not installed, if one of its programs fails or if the server does not answer; Foundation's
  ///   error if the server's folder cannot be created.
  public static func separate() throws -> TestServer { try TestServer() }

  /// Starts a standby that follows this server.
  package func standby() throws -> TestServer { try TestServer(following: self) }

  /// Promotes this standby to the primary.
  package func promote() throws { try execute("SELECT pg_promote(true, 60)") }

  private init(following primary: TestServer? = nil) throws {
    guard let binaries = Self.binaries else {
      throw Failure(description: Self.absence ?? "no server")
    }
    folder = URL(fileURLWithPath: "/tmp/ocd-postgres-\(getpid())-\(UUID().uuidString.prefix(4))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    if geteuid() == 0 { try Self.run(["chown", Self.user, folder.path]) }
    let data = folder.path + "/data"
    let copy = ["/pg_basebackup", "--no-sync", "-c", "fast", "-R", "-U", "tests", "-D", data, "-h"]
    let new = [
      "/initdb", "--no-sync", "--locale=C", "--encoding=UTF8", "-A", "trust", "-U", "tests", "-D",
      data,
    ]
    let command = primary.map { copy + [$0.folder.path] } ?? new
    try Self.run(Self.asUser([binaries + command[0]] + command.dropFirst()))
    if primary == nil { try Self.requirePassword(in: data + "/pg_hba.conf") }
    running = Mutex(nil)
    try start()
  }

  /// The name of the role that must give a password. A test that uses the role must create it.
  package static let roleWithPassword = "keyed"

  /// Adds the rule for ``roleWithPassword`` to the rules of a cluster, which keep their owner.
  private static func requirePassword(in path: String) throws {
    let rules = try String(contentsOfFile: path, encoding: .utf8)
    try "local all \(roleWithPassword) scram-sha-256\n\(rules)".write(
      toFile: path, atomically: false, encoding: .utf8)
  }

  /// Starts the server and waits until it accepts connections.
  private func start() throws {
    guard let binaries = Self.binaries else { return }
    let data = folder.path + "/data"
    let pipe = Pipe()
    let server = Process()
    server.executableURL = URL(fileURLWithPath: "/bin/sh")
    let command = Self.asUser([
      binaries + "/postgres", "-D", data, "-k", folder.path, "-c", "listen_addresses=", "-c",
      "fsync=off", "-c", "max_connections=200",
    ]).map { "'\($0)'" }.joined(separator: " ")
    // The server ends when the pipe is closed, including when this process exits.
    server.arguments = [
      "-c",
      "exec 3<&0; \(command) >>'\(folder.path)/log' 2>&1 </dev/null & cat <&3 >/dev/null; "
        + "kill -INT $(head -1 '\(data)/postmaster.pid'); wait; "
        + "[ -e '\(folder.path)/kept' ] || rm -rf '\(folder.path)'",
    ]
    server.standardInput = pipe.fileHandleForReading
    server.standardError = FileHandle.nullDevice
    try server.run()
    try? pipe.fileHandleForReading.close()
    running.withLock { $0 = Running(process: server, lifeline: pipe.fileHandleForWriting) }
    try waitUntilReady(in: folder.path)
  }

  /// Kills the server's main process with `SIGKILL`.
  ///
  /// - Throws: `Failure` if the server's PID file contains no process id; Foundation's error if the file cannot be read.
  public func kill() throws {
    let file = folder.appendingPathComponent("data/postmaster.pid")
    let first = try String(contentsOf: file, encoding: .utf8).prefix { $0.isNumber }
    guard let process = pid_t(first) else { throw Failure(description: "no process") }
    Glibc.kill(process, SIGKILL)
  }

  /// Kills the server's main process with `SIGKILL`, and restarts the server with the same cluster.
  ///
  /// Returns when the restarted server accepts connections.
  ///
  /// - Throws: `Failure` if the server's PID file contains no process id or if the server does not restart; Foundation's error if a file
  ///   in the server's folder cannot be read, written or removed.
  public func killAndRestart() throws {
    let file = folder.appendingPathComponent("data/postmaster.pid")
    try kill()
    // The remaining processes exit by themselves; the server cannot start before then.
    let mark = folder.appendingPathComponent("kept")
    try Data().write(to: mark)
    end()
    try? FileManager.default.removeItem(at: file)
    try FileManager.default.removeItem(at: mark)
    try start()
  }

  /// Returns whether any process of the server in a folder is running.
  private static func isRunning(in folder: String) -> Bool {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.contains { name in
      guard pid_t(name) != nil,
        let place = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(name)/cwd")
      else { return false }
      return place.hasPrefix(folder)
    }
  }

  /// Stops the server, waits until all of its processes have exited and removes its folder.
  public func stop() { end() }

  /// Signals the shell to stop the server, and waits until all of the server's processes have exited.
  private func end() {
    let ended = running.withLock { running in
      defer { running = nil }
      return running
    }
    try? ended?.lifeline.close()
    ended?.process.waitUntilExit()
    while Self.isRunning(in: folder.path) { usleep(10_000) }
  }

  private func waitUntilReady(in folder: String) throws {
    guard let binaries = Self.binaries else { return }
    // `pg_isready` itself waits a number of seconds for the server's answer.
    for _ in 0..<600 {
      let isReady = try? Self.run([binaries + "/pg_isready", "-q", "-h", folder])
      if isReady != nil { return }
      usleep(50_000)
    }
    throw Failure(description: "The server did not start; see \(self.folder.path)/log.")
  }

  // MARK: Pooler

  /// Whether Debian's package "pgbouncer" is installed.
  package static let hasPooler = FileManager.default.isExecutableFile(atPath: pooler)
  private static let pooler = "/usr/sbin/pgbouncer"

  /// The folder of the socket of the shared server's pooler.
  private static let sharedPooler = Result { try shared.get().startPooler() }

  /// Returns the URL of a store in a new schema of the shared server, reached through a pooler in transaction mode.
  package static func newPooledURL() throws -> URL {
    let server = try shared.get()
    let number = server.counter.add(1, ordering: .relaxed).newValue
    let url = try server.url(schema: "s\(number)", host: sharedPooler.get())
    guard let pooled = URL(string: "\(url)&pooling=transaction&listen=\(server.folder.path)")
    else { throw Failure(description: "no URL") }
    return pooled
  }

  /// Starts a pooler in transaction mode, which ends with the server.
  ///
  /// - Returns: The folder of the pooler's socket.
  private func startPooler() throws -> String {
    let place = folder.appendingPathComponent("pooler")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let settings = """
      [databases]
      * = host=\(folder.path) user=tests
      [pgbouncer]
      unix_socket_dir = \(place.path)
      listen_port = 5432
      auth_type = any
      pool_mode = transaction
      default_pool_size = 20
      max_client_conn = 500
      """
    let file = place.appendingPathComponent("pgbouncer.ini")
    try settings.write(to: file, atomically: true, encoding: .utf8)
    if geteuid() == 0 { try Self.run(["chown", "-R", Self.user, place.path]) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    // The pooler ends after the server.
    let command = Self.asUser([Self.pooler, file.path]).map { "'\($0)'" }.joined(separator: " ")
    process.arguments = [
      "-c",
      "\(command) >'\(place.path)/log' 2>&1 </dev/null & pooler=$!; "
        + "while [ -e '\(folder.path)/data/postmaster.pid' ]; do sleep 1; done; kill $pooler",
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    try waitUntilReady(in: place.path)
    return place.path
  }

  /// Executes SQL statements on the server, for operations that stores do not support.
  ///
  /// - Parameter sql: The statements.
  /// - Throws: `Failure` if a statement fails.
  public func execute(_ sql: String) throws {
    guard let binaries = Self.binaries else { return }
    try Self.run([
      binaries + "/psql", "-q", "-v", "ON_ERROR_STOP=1", "-h", folder.path, "-U", "tests", "-d",
      "postgres", "-c", sql,
    ])
  }

  /// Returns the URL of a store in a new schema.
  ///
  /// The store creates the schema when it is added. Each call returns the URL of a different schema.
  ///
  /// - Throws: `Failure` if the URL cannot be formed.
  public func newURL() throws -> URL {
    let number = counter.add(1, ordering: .relaxed).newValue
    return try url(schema: "s\(number)")
  }

  // MARK: A small disk

  /// Whether the process can mount a file system, which tests of a full disk require.
  package static let canMount: Bool =
    geteuid() == 0
    && (try? run(["sh", "-c", "d=$(mktemp -d); mount -t tmpfs -o size=1m none $d && umount $d"]))
      != nil

  /// Mounts a small disk that holds the tables of new stores.
  ///
  /// - Returns: The folder of the disk.
  package func mountSmallDisk(megabytes: Int) throws -> URL {
    let disk = folder.appendingPathComponent("disk")
    try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
    try Self.run(["mount", "-t", "tmpfs", "-o", "size=\(megabytes)m", "none", disk.path])
    let tables = disk.appendingPathComponent("tables")
    try FileManager.default.createDirectory(at: tables, withIntermediateDirectories: true)
    try Self.run(["chown", "-R", Self.user, disk.path])
    try execute("CREATE TABLESPACE small LOCATION '\(tables.path)'")
    try execute("ALTER ROLE tests SET default_tablespace = small")
    return disk
  }

  /// Stops the server and unmounts its small disk.
  package func stopAndUnmount() {
    let disk = folder.appendingPathComponent("disk").path
    try? Data().write(to: folder.appendingPathComponent("kept"))
    end()
    _ = try? Self.run(["umount", disk])
    try? FileManager.default.removeItem(at: folder)
  }

  /// The folder of the server's socket.
  public var socketFolder: String { folder.path }

  /// Returns the URL of a store.
  ///
  /// - Parameters:
  ///   - schema: The schema of the store.
  ///   - host: The folder of another socket to connect to; nil for the server's own socket.
  /// - Throws: `Failure` if the URL cannot be formed.
  package func url(schema: String, host: String? = nil) throws -> URL {
    let host =
      (host ?? folder.path).addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    guard
      let url = URL(string: "postgresql:///postgres?host=\(host)&user=tests&schema=\(schema)")
    else { throw Failure(description: "no URL") }
    return url
  }

  // MARK: Programs

  /// The user that runs the server if root runs the tests, because PostgreSQL refuses to run as root.
  private static let user = getpwnam("postgres") == nil ? "nobody" : "postgres"

  private static func asUser(_ command: [String]) -> [String] {
    geteuid() == 0 ? ["/usr/sbin/runuser", "-u", user, "--"] + command : command
  }

  @discardableResult
  private static func run(_ command: [String]) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: "\(command[0]) ended with \(process.terminationStatus).")
    }
    return 0
  }
}
