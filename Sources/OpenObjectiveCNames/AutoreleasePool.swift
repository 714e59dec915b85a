// Names of Objective-C's run time library and of Core Foundation that portable Swift sources use. Each does here what it
// means where there is no Objective-C; Docs/ModelCodegen.md lists them.

/// Runs a block; there are no autoreleased objects here, so that memory is freed as it is anywhere else.
///
/// - Parameter body: The block.
/// - Returns: What the block returns.
/// - Throws: What the block throws.
/// > Concurrency: Any thread.
/// > Reference: Apple, autoreleasepool(invoking:).
public func autoreleasepool<Failure: Error, Result: ~Copyable>(
  invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  try body()
}
