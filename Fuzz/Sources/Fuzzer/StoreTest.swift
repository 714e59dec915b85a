import Foundation
import OpenBuiltInStores

/// A test that fetches with one input, a format with arguments and an order, from a SQLite store
/// and an in-memory store.
///
/// A finding is a trap, a timeout, different results of the two stores, or an error of only one
/// store. The stores do not evaluate the same parts of a condition in memory, so only one of them
/// can fail because a part cannot be evaluated.
struct StoreTest {
  let format: String
  let arguments: [Any]
  let sort: (key: String, isAscending: Bool)?

  /// An odd first byte precedes a format; an even first byte precedes the choices that create the
  /// format.
  init(bytes: [UInt8]) {
    var choices = Choices(bytes: bytes)
    if choices.next(256) % 2 == 1 {
      format = String(decoding: bytes.dropFirst(), as: UTF8.self)
      arguments = FuzzValues.all
      sort = nil
      return
    }
    var grammar = FormatGrammar(choices: choices)
    format = grammar.predicate(depth: 0)
    sort = grammar.sort()
    arguments = grammar.arguments
  }

  func run() {
    let predicate = NSPredicate(format: format, argumentArray: arguments)
    let results = [FuzzStores.sqlite, FuzzStores.memory].map { $0.numbers(predicate, sort) }
    switch (results[0], results[1]) {
    case (.success(let one), .success(let other)):
      if one != other { report("SQLite \(one), memory \(other)") }
    case (.failure, .failure): break
    case (.success(let numbers), .failure(let error)):
      if !error.isEvaluation { report("SQLite \(numbers), memory fails: \(error)") }
    case (.failure(let error), .success(let numbers)):
      if !error.isLimit, !error.isEvaluation { report("SQLite fails: \(error); memory \(numbers)") }
    }
  }

  private static let keepsGoing = ProcessInfo.processInfo.environment["FUZZ_KEEP_GOING"] != nil

  /// Prints the difference and ends the process, or continues if FUZZ_KEEP_GOING is set.
  private func report(_ difference: String) {
    FileHandle.standardError.write(Data("DIFFERENCE \(self): \(difference)\n".utf8))
    if !Self.keepsGoing { abort() }
  }
}

extension StoreTest: CustomStringConvertible {
  var description: String {
    "“\(format)” \(arguments.map { "\(type(of: $0)) \($0)" }) \(sort.map { "\($0)" } ?? "unsorted")"
  }
}

/// The bytes of an input as a sequence of choices, followed by zeros.
struct Choices {
  private let bytes: [UInt8]
  private var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position >= bytes.count }

  /// Returns a number below a limit.
  mutating func next(_ limit: Int) -> Int {
    guard position < bytes.count else { return 0 }
    defer { position += 1 }
    return Int(bytes[position]) % limit
  }
}
