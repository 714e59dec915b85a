import BenchModel
import CoreData
import Glibc

// Called as `graph-bench WORKLOAD DB DATADIR`; prints one line of JSON, or exits with 2 for a workload that
// it does not have.

guard CommandLine.arguments.count > 3 else {
  print("usage: graph-bench WORKLOAD DB DATADIR")
  exit(2)
}
let harness = Harness(
  workload: CommandLine.arguments[1], database: CommandLine.arguments[2],
  folder: CommandLine.arguments[3])
do {
  // Opening is part of what this one times.
  if harness.workload == "first" {
    try Start(harness: harness).run()
  } else {
    guard Workloads.covers(harness), try await Workloads(harness).run() else { exit(2) }
  }
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
