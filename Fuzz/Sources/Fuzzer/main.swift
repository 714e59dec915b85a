import Foundation

// Runs libFuzzer; its options and corpus folders are the command line. `Scripts/fuzz.sh` builds and starts it.

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// What is fuzzed: formats, or fetches when the variable FUZZ_TARGET says "stores".
enum Target {
  static let isStores = ProcessInfo.processInfo.environment["FUZZ_TARGET"] == "stores"
}

/// What libFuzzer calls for each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: bytes, count: count))
  if Target.isStores { StoreTest(bytes: bytes).run() } else { FormatTest(bytes: bytes).run() }
  return 0
}

var count = CommandLine.argc
var arguments = CommandLine.unsafeArgv
let status = withUnsafeMutablePointer(to: &count) { count in
  withUnsafeMutablePointer(to: &arguments) { arguments in
    runDriver(count, arguments) { testOneInput($0, $1) }
  }
}
if status != 0 { preconditionFailure("The fuzzer ended with \(status).") }
