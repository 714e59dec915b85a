import ArgumentParser
import CommandParts
import CoreData
import Metrics
import MusicService
import OpenPostgresStore

/// Serves a music library over HTTP, with any number of processes on one database.
@main
struct MusicServiceCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "music-service",
    abstract: "Serve a music library over HTTP.",
    discussion: """
      The store is a library of 'kanora', or a copy of a library that 'coredata-postgres copy' created in PostgreSQL. Several processes \
      can serve the same store. After SIGINT or SIGTERM, the command finishes the requests in progress and exits.
      """,
    version: ExampleVersion.text)

  @Option(
    help: "The store: postgresql://user@host/database?schema=name, or a SQLite file.",
    transform: Input.path)
  var store: String

  @Option(help: "The port on the loopback address; 0 selects a free port.")
  var port: UInt16 = 0

  @Option(
    name: .customLong("host"),
    help: "A name of the service in the header Host, if a proxy passes the header on; repeatable.")
  var hosts: [String] = []

  @Option(help: "The number of seconds to wait for requests to finish after a signal.")
  var grace: Double = 10

  func validate() throws {
    guard (0...86_400).contains(grace) else {
      throw ValidationError("The value of --grace must be a number from 0 to 86400.")
    }
  }

  func run() async throws {
    let metrics = ServiceMetrics()
    MetricsSystem.bootstrap(metrics)
    PostgresStore.register()
    try await Terminal.reporting {
      let url =
        store.contains("://") ? URL(string: store) : URL(fileURLWithPath: store)
      guard let url else { throw ValidationError("'\(store)' is not a file path or URL.") }
      let service = MusicService(
        try MusicDatabase(at: url), metrics: metrics, port: port, hosts: hosts)
      try await StopSignals.serving {
        "Listening on http://127.0.0.1:\(try await service.start())"
      }
      await service.stop(within: grace)
    }
  }
}
