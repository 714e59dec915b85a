import Foundation

/// A fixed number of inputs determined by a seed.
///
/// The file that FUZZ_INPUT names contains the current input, also after a trap or a timeout.
struct BriefRun {
  let runs: Int

  func run() {
    let seed = Environment["FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
    guard let corpus = Environment["FUZZ_CORPUS"], let path = Environment["FUZZ_INPUT"],
      let text = try? String(contentsOfFile: corpus, encoding: .utf8)
    else { preconditionFailure("FUZZ_CORPUS and FUZZ_INPUT name files.") }
    let lines = text.split(separator: "\n").map(String.init)
    let file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o644)
    precondition(file >= 0, "\(path) cannot be written.")
    var inputs = RandomInputs(Target.isStores ? .stores : .formats, lines: lines, seed: seed)
    for _ in 0..<runs {
      let input = inputs.next()
      precondition(pwrite(file, input, input.count, 0) == input.count, "\(path) cannot be written.")
      precondition(ftruncate(file, input.count) == 0, "\(path) cannot be written.")
      alarm(5)  // Ends the process if an input takes longer.
      Target.run(input)
    }
    alarm(0)
    unlink(path)
    print("\(runs) inputs of seed \(seed), no finding.")
  }
}
