/// Goldens of the expansions and errors of `@ManagedAccessor`.
final class ManagedAccessorMacroTests: ExpansionTestCase {
  func testOneMemberIsAddedAndRemoved() {
    checkFunction("addToThreads(_ value: Thread)", calls: #"__addMember(value, "threads")"#)
    checkFunction("removeFromThreads(_ value: Thread)", calls: #"__removeMember(value, "threads")"#)
  }

  func testSetOfMembersIsAddedAndRemoved() {
    for type in ["NSSet", "NSOrderedSet", "Foundation.NSSet", "Set<Thread>", "[Thread]"] {
      checkFunction("addToThreads(_ values: \(type))", calls: #"__addMembers(values, "threads")"#)
      checkFunction(
        "removeFromThreads(_ values: \(type))", calls: #"__removeMembers(values, "threads")"#)
    }
  }

  func testAClassMayHaveTheNameOfACollection() {
    checkFunction("addToSets(_ value: Set)", calls: #"__addMember(value, "sets")"#)
    checkFunction("addToArrays(_ value: Model.Array)", calls: #"__addMember(value, "arrays")"#)
    checkFunction("addToSets(_ value: Swift.Set<Set>)", calls: #"__addMembers(value, "sets")"#)
  }

  func testReservedWordsAsParameterNamesAreQuoted() {
    checkFunction("addToThreads(_ in: Thread)", calls: #"__addMember(`in`, "threads")"#)
    checkFunction("addToThreads(_ `class`: Thread)", calls: #"__addMember(`class`, "threads")"#)
    checkFunction(
      "replaceThreads(at where: Int, with default: Thread)",
      calls: #"__replaceMember("threads", at: `where`, with: `default`)"#)
  }

  func testAParameterWithoutNameIsRefused() {
    checkFunction(
      "addToThreads(_: Thread)",
      isRefusedWith: "'@ManagedAccessor' requires a name for each parameter", column: 38)
  }

  func testACapitalAfterTheFirstStaysInTheName() {
    checkFunction("addToEBooks(_ value: Book)", calls: #"__addMember(value, "eBooks")"#)
    checkFunction("addToXAxes(_ value: Axis)", calls: #"__addMember(value, "xAxes")"#)
  }

  func testOneMemberChangesAtAPosition() {
    checkFunction(
      "insertIntoThreads(_ value: Thread, at idx: Int)",
      calls: #"__insertMember(value, "threads", at: idx)"#)
    checkFunction(
      "removeFromThreads(at idx: Int)", calls: #"__removeMember("threads", at: idx)"#)
    checkFunction(
      "replaceThreads(at idx: Int, with value: Thread)",
      calls: #"__replaceMember("threads", at: idx, with: value)"#)
  }

  func testSeveralMembersChangeAtPositions() {
    checkFunction(
      "insertIntoThreads(_ values: [Thread], at indexes: NSIndexSet)",
      calls: #"__insertMembers(values, "threads", at: indexes)"#)
    checkFunction(
      "removeFromThreads(at indexes: NSIndexSet)",
      calls: #"__removeMembers("threads", at: indexes)"#)
    checkFunction(
      "replaceThreads(at indexes: NSIndexSet, with values: [Thread])",
      calls: #"__replaceMembers("threads", at: indexes, with: values)"#)
  }

  func testLabelIsTheNameWhereThereIsOnlyOne() {
    checkFunction("removeFromThreads(at: Int)", calls: #"__removeMember("threads", at: at)"#)
  }

  func testArgumentNamesTheRelationshipInTheModel() {
    checkFunction(
      "addToThreads(_ value: Thread)", attribute: #"@ManagedAccessor("discussions")"#,
      calls: #"__addMember(value, "discussions")"#)
  }

  func testOtherNamesAreRefused() {
    let functions = [
      "append(_ value: Thread)", "addTo(_ value: Thread)", "addTothreads(_ value: Thread)",
      "addToThreads(value: Thread)", "addToThreads()", "replaceThreads(_ value: Thread)",
      "insertIntoThreads(_ value: Thread)",
    ]
    for function in functions {
      checkFunction(
        function,
        isRefusedWith: """
          '@ManagedAccessor' requires the method name 'addTo…(_:)', 'removeFrom…(_:)', 'insertInto…(_:at:)', \
          'removeFrom…(at:)' or 'replace…(at:with:)'
          """, column: 25)
    }
  }

  func testEffectsResultsAndTypeParametersAreRefused() {
    let message =
      "'@ManagedAccessor' requires an instance method without generic parameters, effects or a result"
    for suffix in ["throws", "async", "-> Bool"] {
      checkFunction("addToXs(_ value: X) \(suffix)", isRefusedWith: message, column: 25)
    }
    checkFunction("addToXs<T>(_ value: T)", isRefusedWith: message, column: 25)
  }

  func testStaticFunctionIsRefused() {
    check(
      """
      extension Forum {
        @ManagedAccessor static func addToXs(_ value: X)
      }
      """,
      isRefusedWith:
        "'@ManagedAccessor' requires an instance method without generic parameters, effects or a result",
      atLine: 2, column: 32,
      leaving: """
        extension Forum {
          static func addToXs(_ value: X)
        }
        """)
  }

  func testInitializerIsRefused() {
    check(
      """
      extension Forum {
        @ManagedAccessor init(value: X)
      }
      """,
      isRefusedWith: "'@ManagedAccessor' can only be attached to a method", atLine: 2, column: 3,
      leaving: """
        extension Forum {
          init(value: X)
        }
        """)
  }

  func testBodyIsRefused() {
    check(
      """
      extension Forum {
        @ManagedAccessor func addToXs(_ value: X) { print(value) }
      }
      """,
      isRefusedWith: "'@ManagedAccessor' generates the body of the method; remove this body",
      atLine: 2,
      column: 45,
      leaving: """
        extension Forum {
          func addToXs(_ value: X) { print(value) }
        }
        """)
  }

  /// Checks the body of a function in an extension.
  private func checkFunction(
    _ function: String, attribute: String = "@ManagedAccessor", calls call: String,
    file: StaticString = #filePath, line: UInt = #line
  ) {
    check(
      """
      extension Forum {
        \(attribute) public func \(function)
      }
      """,
      expandsTo: """
        extension Forum {
          public func \(function) {
            \(call)
          }
        }
        """, file: file, line: line)
  }

  /// Checks a function in line 2 of the source, which the macro leaves alone.
  private func checkFunction(
    _ function: String, isRefusedWith message: String, column: Int,
    file: StaticString = #filePath, line: UInt = #line
  ) {
    check(
      """
      extension Forum {
        @ManagedAccessor func \(function)
      }
      """,
      isRefusedWith: message, atLine: 2, column: column,
      leaving: """
        extension Forum {
          func \(function)
        }
        """, file: file, line: line)
  }
}
