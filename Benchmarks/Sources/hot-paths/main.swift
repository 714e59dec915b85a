import Foundation
import Glibc

// Called as one of these; each prints one number, or exits with 2 for what it does not have:
//
//   hot-paths prepare SIZE FOLDER            makes the store that the last two take
//   hot-paths count OPERATION TIMES FOLDER   repeats a hot path on a store of its own
//   hot-paths grow OPERATION SIZE FOLDER     does what must not depend on the size
//   hot-paths hold MEASURE SIZE FOLDER       bytes that are kept
//
// Only a part of what `count` and `grow` do counts, see `counted`; they print how many units that part has.

let arguments = Array(CommandLine.arguments.dropFirst())
do {
  guard let number = try run(arguments) else {
    print("usage: hot-paths prepare SIZE FOLDER | count|grow|hold NAME NUMBER FOLDER")
    exit(2)
  }
  print(number)
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}

/// Does what the arguments ask for; nil when there is no such thing.
@MainActor
func run(_ arguments: [String]) throws -> Int? {
  guard arguments.count > 2, let number = Int(arguments[arguments.count - 2]), number > 0,
    let folder = arguments.last
  else { return nil }
  switch (arguments[0], arguments.count) {
  case ("prepare", 3):
    try ForumStore.prepare(in: folder, postCount: number)
    return number
  case ("count", 4):
    return try Operations(in: folder).run(arguments[1], times: number) ? number : nil
  case ("grow", 4): return try Growth(in: folder, size: number).run(arguments[1])
  case ("hold", 4): return try Memory(in: folder, size: number).run(arguments[1])
  default: return nil
  }
}
