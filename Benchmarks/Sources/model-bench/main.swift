import BenchModel
import Foundation

// Usage: `model-bench WORKLOAD DB DATADIR`. Prints one line of JSON. Exits with status 2 if the
// workload is unknown. DB must be a copy of the data, because the program enables persistent history.
//
// `model-bench prepare POSTS FOLDER` writes a small data set.
//
//   PERF_STACK    `objects` for managed objects, or `models` for SwiftData models. Both stacks do
//                 the same work on stores with the same options.

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
