// A process of its own for tests: it carries out the commands of its standard input, one a line, and answers
// each with a line.

import Foundation

if let place = CommandLine.arguments.firstIndex(of: "lock-order") {
  LockOrder.run(servingMainQueueBy: CommandLine.arguments.dropFirst(place + 1).first ?? "loop")
}

let session = Session()
while let line = readLine() {
  Answer.write(session.answer(to: line.split(separator: " ").map(String.init)))
}
