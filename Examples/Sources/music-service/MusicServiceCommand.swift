import ArgumentParser
import CommandParts
import CoreData
import Metrics
import MusicService
import OpenPostgresStore

/// Serves a music library over HTTP, with any number of processes on one database.
@main
struct MusicServiceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "music-service",
    abstract: "Serve a music library over HTTP.",
    discussion: """
      The store is the library of 'kanora', or a copy in PostgreSQL that 'coredata-postgres copy' has made. Several processes can serve \
      one store. SIGINT and SIGTERM end the command after the requests that are being answered.
      """,
    version: ExampleVersion.text)

  @Option(help: "The store: postgresql://user@host/database?schema=name, or a SQLite file.")
  var store: String

  @Option(help: "The port on the loopback address; 0 takes a free one.")
  var port: UInt16 = 0

  @Option(help: "Seconds that requests may take to end after a signal.")
  var grace: Double = 10

  func run() async throws {
    let metrics = ServiceMetrics()
    MetricsSystem.bootstrap(metrics)
    PostgresStore.register()
    try await Terminal.reporting {
      let url =
        store.contains("://") ? URL(string: store) : URL(fileURLWithPath: store)
      guard let url else { throw ValidationError("'\(store)' is not a file or a URL.") }
      let service = MusicService(try MusicDatabase(at: url), metrics: metrics, port: port)
      try await StopSignals.ending {
        print("Listening on http://127.0.0.1:\(try await service.start())")
        Terminal.flush()
        try await Terminal.waitUntilEnded()
      }
      await service.stop(within: grace)
    }
  }
}
