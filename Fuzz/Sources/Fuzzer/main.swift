import Foundation

// Runs libFuzzer with the options and corpus folders in the arguments or, if FUZZ_RUNS is set, that number of inputs
// determined by a seed. `Scripts/fuzz.sh` builds and starts this program.

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The target: formats, or fetches if the variable FUZZ_TARGET is "stores".
enum Target {
  static let isStores = Environment["FUZZ_TARGET"] == "stores"

  static func run(_ bytes: [UInt8]) {
    if isStores { StoreTest(bytes: bytes).run() } else { FormatTest(bytes: bytes).run() }
  }
}

/// The variables that `Scripts/fuzz.sh` sets.
enum Environment {
  static subscript(name: String) -> String? { ProcessInfo.processInfo.environment[name] }
}

/// The function that libFuzzer calls for each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  Target.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
  return 0
}

if let runs = Environment["FUZZ_RUNS"].flatMap({ Int($0) }) {
  BriefRun(runs: runs).run()
} else {
  var count = CommandLine.argc
  var arguments = CommandLine.unsafeArgv
  let status = withUnsafeMutablePointer(to: &count) { count in
    withUnsafeMutablePointer(to: &arguments) { arguments in
      runDriver(count, arguments) { testOneInput($0, $1) }
    }
  }
  if status != 0 { preconditionFailure("The fuzzer ended with \(status).") }
}
