import CoreData
import Glibc

// Called as `graph-bench WORKLOAD DB DATADIR`; prints one line of JSON, or exits with 2 for a workload that
// it does not have. Called as `graph-bench count OPERATION TIMES FOLDER`, repeats an operation on a store of its own.

guard CommandLine.arguments.count > 3 else {
  print("usage: graph-bench WORKLOAD DB DATADIR | count OPERATION TIMES FOLDER")
  exit(2)
}
do {
  guard try await run(Array(CommandLine.arguments.dropFirst())) else { exit(2) }
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}

/// Runs what the arguments ask for; false when there is no such thing.
@MainActor
func run(_ arguments: [String]) async throws -> Bool {
  if arguments.count == 4, arguments[0] == "count", let times = Int(arguments[2]), times > 0 {
    return try Operations(in: arguments[3]).run(arguments[1], times: times)
  }
  let harness = Harness(workload: arguments[0], database: arguments[1], folder: arguments[2])
  return try await Workloads(harness).run()
}
