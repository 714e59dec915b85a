/// Runs libFuzzer over format strings; its options and corpus folders are the command line.
///
/// `Scripts/fuzz-predicates.sh` builds and starts it.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// What libFuzzer calls for each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  FormatTest(bytes: Array(UnsafeBufferPointer(start: bytes, count: count))).run()
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
