// A separate process for tests of crashes: it saves to a new store, while a recorder logs every operation on the
// store's files.
//
//     opencoredata-crash FOLDER LOG SYNCHRONOUS SEED SAVES

import CrashRecorder
import Foundation
import OpenCoreData
import ProcessModel

let words = CommandLine.arguments
guard words.count == 6, let seed = UInt64(words[4]), let saves = Int(words[5]) else {
  print("usage: opencoredata-crash FOLDER LOG SYNCHRONOUS SEED SAVES")
  exit(2)
}
let work = CrashWork(
  store: URL(fileURLWithPath: words[1]).appendingPathComponent("crash.sqlite"),
  synchronous: words[3], seed: seed)
guard crash_record(words[1], words[2]) != 0 else { exit(3) }
do {
  try work.run(saves)
  crash_end()
  print("done")
} catch {
  print("\(error)")
  exit(1)
}
