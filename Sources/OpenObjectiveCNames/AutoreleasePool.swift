// Names of Objective-C's run time library and of Core Foundation that portable Swift sources use. Each does here what it
// means where there is no Objective-C; Docs/ModelCodegen.md lists them.

/// Runs a block. There are no autoreleased objects on this platform, so the call has no other effect.
///
/// - Parameter body: The block.
/// - Returns: The result of the block.
/// - Throws: The error of the block.
/// > Concurrency: Any thread.
/// > Reference: Apple, autoreleasepool(invoking:).
public func autoreleasepool<Failure: Error, Result: ~Copyable>(
  invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  try body()
}
