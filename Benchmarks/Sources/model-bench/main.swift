import BenchModel
import Foundation

// Called as `model-bench WORKLOAD DB DATADIR`; prints one line of JSON, or exits with 2 for a workload that it does not have.
// It works on a copy of the data, which gets a history.
//
// `model-bench prepare POSTS FOLDER` writes a small data set.
//
//   PERF_STACK    `objects` for managed objects, `models` for models; both do the same work on stores with the same options

guard CommandLine.arguments.count > 3 else {
  print("usage: model-bench WORKLOAD DB DATADIR")
  exit(2)
}
if CommandLine.arguments[1] == "prepare", let count = Int(CommandLine.arguments[2]) {
  try SmallForum.write(postCount: count, to: CommandLine.arguments[3])
  exit(0)
}
let harness = Harness(
  workload: CommandLine.arguments[1], database: CommandLine.arguments[2],
  folder: CommandLine.arguments[3])
do {
  try harness.adoptDatabase()
  let isDone =
    switch ProcessInfo.processInfo.environment["PERF_STACK"] {
    case "objects": try ObjectWorkloads(harness).run()
    case "models": try ModelWorkloads(harness).run()
    default: false
    }
  if !isDone { exit(2) }
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
