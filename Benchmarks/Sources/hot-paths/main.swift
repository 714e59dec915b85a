import CCounting
import Foundation
import Glibc

// Usage:
//
//   hot-paths prepare SIZE FOLDER                   creates the store for `grow` and `hold`
//   hot-paths count OPERATION TIMES FOLDER          repeats a hot path on a separate store
//   hot-paths grow OPERATION,OPERATION SIZE FOLDER  runs operations whose cost must not depend on
//                                                   SIZE, each in the subfolder with its name
//   hot-paths hold MEASUREMENT SIZE FOLDER          prints the retained memory in bytes
//
// `prepare`, `count` and `hold` print one number. `grow` prints a line for each operation, with the
// name and the number of units. The program exits with status 2 if an argument is unknown. `count`
// and `grow` count only the instructions of the work that is passed to `counted`.

let arguments = Array(CommandLine.arguments.dropFirst())
do {
  guard let result = try run(arguments) else {
    print("usage: hot-paths prepare SIZE FOLDER | count|grow|hold NAME NUMBER FOLDER")
    exit(2)
  }
  print(result)
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}

/// Executes the command in the arguments and returns its output, or nil if an argument is unknown.
@MainActor
func run(_ arguments: [String]) throws -> String? {
  guard arguments.count > 2, let number = Int(arguments[arguments.count - 2]), number > 0,
    let folder = arguments.last
  else { return nil }
  switch (arguments[0], arguments.count) {
  case ("prepare", 3):
    try ForumStore.prepare(in: folder, postCount: number)
    return "\(number)"
  case ("count", 4):
    return try Operations(in: folder).run(arguments[1], times: number) ? "\(number)" : nil
  case ("grow", 4):
    return try grow(arguments[1].split(separator: ",").map(String.init), number, folder)
  case ("hold", 4):
    return try Memory(in: folder, size: number).run(arguments[1]).map { "\($0)" }
  default: return nil
  }
}

/// Runs several operations in one process, because starting a process takes longer than most
/// operations.
///
/// - Returns: A line with the name and the number of units for each operation, or nil if an
///   operation is unknown.
@MainActor
func grow(_ operations: [String], _ size: Int, _ folder: String) throws -> String? {
  var lines: [String] = []
  for operation in operations {
    let growth = try Growth(in: "\(folder)/\(operation)", size: size)
    guard let units = try growth.run(operation) else { return nil }
    counting_report(operation)
    lines.append("\(operation) \(units)")
  }
  return lines.joined(separator: "\n")
}
