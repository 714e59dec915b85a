import Foundation
import OpenCoreData
import OpenObjectGraph
import OpenTestSupport
import Testing

/// Each store call fails once; the context is unchanged, reports the error, and a retry succeeds.
@Suite("Failing store calls")
struct FaultInjectionTests {
  @Test(
    "an operation that throws changes nothing and succeeds on retry",
    arguments: StoreTypes.both, FaultScenario.throwing)
  func throwing(_ type: String, _ scenario: FaultScenario) throws {
    let (expected, contents) = try undisturbed(type, scenario)
    var failures = 0
    for call in FaultInjection.Call.allCases {
      failures += try failEach("\(call)", type, scenario) { stack, number, place in
        let (before, stored) = (stack.pending(), try stack.contents())
        stack.faults.fail(number, of: [call])
        do {
          let result = try scenario.action(stack)
          // An operation may ignore a failed read only if it does not need the values.
          #expect(stack.faults.hasFailed == false || result == expected, "\(place)")
          guard stack.faults.stop() else { return false }
        } catch {
          #expect(stack.faults.stop(), "\(place): \(error)")
          #expect(FaultInjection.made(error), "\(place): \(error)")
          // Changes that a child has already saved belong to the parent.
          if scenario.testDescription != "save of a child" {
            #expect(stack.pending() == before, "\(place)")
          }
          #expect(try stack.contents() == stored, "\(place)")
          #expect(stack.context.checkInvariants() == [], "\(place)")
          #expect(try scenario.action(stack) == expected, "\(place)")
        }
        #expect(stack.context.checkInvariants() == [], "\(place)")
        #expect(try stack.contents() == contents, "\(place)")
        return true
      }
    }
    #expect(failures > 0, "No call of \(scenario.testDescription) failed.")
  }

  @Test(
    "a failed read that cannot throw makes the save throw, and succeeds on retry",
    arguments: StoreTypes.both,
    FaultScenario.reading)
  func reading(_ type: String, _ scenario: FaultScenario) throws {
    let (expected, contents) = try undisturbed(type, scenario)
    let failures = try failEach("read", type, scenario) { stack, number, place in
      stack.faults.fail(number, of: FaultInjection.Call.reads)
      let result = try scenario.action(stack)
      guard stack.faults.stop() else {
        #expect(result == expected, "\(place)")
        return false
      }
      #expect(stack.context.checkInvariants() == [], "\(place)")
      let error = #expect(throws: (any Error).self, "\(place)") { try stack.context.save() }
      #expect(error.map(FaultInjection.made) == true, "\(place)")
      #expect(try stack.contents() == contents, "\(place)")
      stack.context.rollback()
      try scenario.prepare(stack)
      #expect(try scenario.action(stack) == expected, "\(place)")
      #expect(stack.context.checkInvariants() == [], "\(place)")
      try stack.context.save()
      return true
    }
    #expect(failures > 0, "No read of \(scenario.testDescription) failed.")
  }

  @Test(
    "newer values that cannot be read do not leave older values in place",
    arguments: StoreTypes.both, FaultScenario.updating)
  func updating(_ type: String, _ scenario: FaultScenario) throws {
    let (expected, _) = try undisturbed(type, scenario)
    _ = try failEach("read", type, scenario) { stack, number, place in
      let before = stack.pending()
      stack.faults.fail(number, of: FaultInjection.Call.reads)
      let result = try scenario.action(stack)
      guard stack.faults.stop() else {
        #expect(result == expected, "\(place)")
        return false
      }
      #expect(result == expected, "\(place)")
      #expect(stack.pending() == before, "\(place)")
      #expect(stack.context.checkInvariants() == [], "\(place)")
      #expect(try scenario.action(stack) == expected, "\(place)")
      #expect(stack.context.checkInvariants() == [], "\(place)")
      return true
    }
  }

  /// Runs a test with the first call failing, then with the second and so on, until no call fails.
  ///
  /// - Parameters:
  ///   - calls: The name of the calls in messages.
  ///   - test: Receives a prepared stack, the number of the call to fail, and a text for messages;
  ///     returns whether the call
  ///     failed.
  /// - Returns: The number of calls that failed.
  private func failEach(
    _ calls: String, _ type: String, _ scenario: FaultScenario,
    _ test: (_ stack: FaultStack, _ number: Int, _ place: String) throws -> Bool
  ) throws -> Int {
    for number in 1...50 {
      let stack = try FaultStack(type)
      let hasFailed = try stack.context.performAndWait { () throws -> Bool in
        try scenario.prepare(stack)
        let place = "\(scenario.testDescription), \(type), \(calls) \(number)"
        return try test(stack, number, place)
      }
      if !hasFailed { return number - 1 }
    }
    return 50
  }

  /// The result of the operation without faults, and the contents of the store after it.
  private func undisturbed(
    _ type: String, _ scenario: FaultScenario
  ) throws -> (String, [String]) {
    let stack = try FaultStack(type)
    return try stack.context.performAndWait { () throws in
      try scenario.prepare(stack)
      let result = try scenario.action(stack)
      #expect(stack.context.checkInvariants() == [])
      return (result, try stack.contents())
    }
  }
}
