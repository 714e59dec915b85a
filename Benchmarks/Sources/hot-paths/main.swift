import CCounting
import Foundation
import Glibc

// Called as one of these; each prints one number, or exits with 2 for what it does not have:
//
//   hot-paths prepare SIZE FOLDER                  makes the store that the last two take
//   hot-paths count OPERATION TIMES FOLDER         repeats a hot path on a store of its own
//   hot-paths grow OPERATION,OPERATION SIZE FOLDER does what must not depend on the size, each in a folder of its name
//   hot-paths hold MEASURE SIZE FOLDER             bytes that are kept
//
// Only a part of what `count` and `grow` do counts, see `counted`; they print how many units that part has, `grow` in a
// line for each operation with its name.

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

/// Does what the arguments ask for; nil when there is no such thing.
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

/// Does operations one after the other in the same process, whose start costs more than most of them.
///
/// - Returns: A line for each with its name and its units; nil when there is none of a name.
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
