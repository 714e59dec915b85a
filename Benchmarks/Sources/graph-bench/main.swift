import BenchModel
import Foundation
import OpenCoreData
import OpenPostgresStore
import Glibc

// Usage: `graph-bench WORKLOAD DB DATADIR`. DB is a SQLite file, or the URL of a store in PostgreSQL.
// Prints one line of JSON. Exits with status 2 if the workload is unknown.

guard CommandLine.arguments.count > 3 else {
  print("usage: graph-bench WORKLOAD DB DATADIR")
  exit(2)
}
PostgresStore.register()
let harness = Harness(
  workload: CommandLine.arguments[1], database: CommandLine.arguments[2],
  folder: CommandLine.arguments[3],
  serverNumber: Server(CommandLine.arguments[2])?.number)
do {
  // This workload also measures the time to open the store.
  if harness.workload == "first" {
    try Start(harness: harness).run()
  } else {
    guard Workloads.covers(harness), try await Workloads(harness).run() else { exit(2) }
  }
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
