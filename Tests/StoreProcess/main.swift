// A separate process for tests: it runs the commands from its standard input, one per line, and answers each
// command with one line.

import Foundation

if let place = CommandLine.arguments.firstIndex(of: "lock-order") {
  LockOrder.run(servingMainQueueBy: CommandLine.arguments.dropFirst(place + 1).first ?? "loop")
}

let session = Session()
while let line = readLine() {
  Answer.write(session.answer(to: line.split(separator: " ").map(String.init)))
}
