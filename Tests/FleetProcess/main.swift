import FleetModel
import Foundation
import OpenCoreData

// One of several processes that work on one store on a server:
//
//   opencoredata-fleet URL write SEED OPERATIONS    prints how many changes of accounts were saved
//   opencoredata-fleet URL save                     saves an entry for each number that the standard input contains, up to the line `end`
//   opencoredata-fleet URL follow                   reads the history up to a transaction with the author `end`, and prints the
//                                                   number of changes of accounts in it

let arguments = CommandLine.arguments.dropFirst()
guard let url = arguments.first.flatMap({ URL(string: $0) }) else {
  print("usage: opencoredata-fleet URL write SEED OPERATIONS | URL save | URL follow")
  exit(2)
}
let numbers = arguments.dropFirst(2).compactMap { Int($0) }
do {
  let context = try reaching { try FleetModel.context(url) }
  let result = try context.performAndWait {
    if arguments.dropFirst().first == "save" { return try saveEntries(in: context) }
    guard numbers.count == 2 else { return try Follower(context).run() }
    var writer = Writer(context, seed: UInt64(numbers[0]))
    return try writer.run(numbers[1])
  }
  print(result)
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
