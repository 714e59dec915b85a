public import Foundation

/// A time as seconds since the reference date, the beginning of 2001.
///
/// > Reference: Apple, CFAbsoluteTime.
public typealias CFAbsoluteTime = Double

/// A time as seconds since the reference date.
///
/// > Concurrency: Any thread.
/// > Reference: Apple, CFAbsoluteTimeGetCurrent().
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime {
  Date.timeIntervalSinceReferenceDate
}

/// A pointer through which Objective-C methods report an error.
///
/// > Reference: Apple, NSErrorPointer.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// The integer of Objective-C's interfaces.
///
/// > Reference: Apple, NSInteger.
public typealias NSInteger = Int
