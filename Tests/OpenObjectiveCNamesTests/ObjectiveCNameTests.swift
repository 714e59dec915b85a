import Dispatch
import Foundation
import OpenObjectiveCNames
import Testing

/// Names of Objective-C's run time library that portable sources use.
@Suite("Objective-C names") struct ObjectiveCNameTests {
  private struct Failure: Error, Equatable {}

  @Test("an autorelease pool runs its block, returns its result and passes on its error")
  func autoreleasePools() {
    #expect(autoreleasepool { 1 + 1 } == 2)
    var count = 0
    for _ in 0..<3 { autoreleasepool { count += 1 } }
    #expect(count == 3)
    #expect(throws: Failure()) { try autoreleasepool { throw Failure() } }
  }

  @Test("one thread at a time is in the section of an object, and can reenter it")
  func sections() {
    let object = NSObject()
    let counter = Counter()
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<500 {
        objc_sync_enter(counter)
        objc_sync_enter(counter)
        counter.value += 1
        #expect(objc_sync_exit(counter) == 0)
        #expect(objc_sync_exit(counter) == 0)
      }
    }
    #expect(counter.value == 4000)
    #expect(objc_sync_exit(object) == -1, "the thread is in no section of this object")
    #expect(objc_sync_exit(counter) == -1, "all have left")
  }

  /// A count that only threads in the object's section change.
  private final class Counter: @unchecked Sendable {
    var value = 0
  }

  @Test("the absolute time counts from the reference date")
  func absoluteTime() {
    let time: CFAbsoluteTime = CFAbsoluteTimeGetCurrent()
    #expect(abs(time - Date().timeIntervalSinceReferenceDate) < 60)
  }
}
