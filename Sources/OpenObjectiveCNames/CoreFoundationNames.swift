public import Foundation

/// A time in seconds since the reference date, which is the beginning of the year 2001 in UTC.
///
/// > Reference: Apple, CFAbsoluteTime.
public typealias CFAbsoluteTime = Double

/// Returns the current time in seconds since the reference date.
///
/// > Concurrency: Callable from any thread.
/// > Reference: Apple, CFAbsoluteTimeGetCurrent().
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime {
  Date.timeIntervalSinceReferenceDate
}

/// A pointer that Objective-C methods use to report an error.
///
/// > Reference: Apple, NSErrorPointer.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// The integer type of Objective-C interfaces.
///
/// > Reference: Apple, NSInteger.
public typealias NSInteger = Int
