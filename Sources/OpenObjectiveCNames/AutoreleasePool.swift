// Names from the Objective-C runtime and from Core Foundation that portable Swift sources use.
// Docs/ModelCodegen.md lists the names and their meaning on this platform.

/// Runs a closure. The call has no other effect, because there are no autoreleased objects on this
/// platform.
///
/// - Parameter body: The closure to run.
/// - Returns: The result of the closure.
/// - Throws: The error of the closure.
/// > Concurrency: Callable from any thread.
/// > Reference: Apple, autoreleasepool(invoking:).
public func autoreleasepool<Failure: Error, Result: ~Copyable>(
  invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  try body()
}
