import Foundation
import OpenBuiltInStores

/// One input: a format with arguments and an order, fetched from a SQLite store and from a store in memory.
///
/// A finding is a trap, a timeout, or two stores that return different objects, or of which one alone fails.
struct StoreTest {
  let format: String
  let arguments: [Any]
  let sort: (key: String, isAscending: Bool)?

  /// An odd first byte is followed by the format itself, an even one by the choices that make it.
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
      report("SQLite \(numbers), memory fails: \(error)")
    case (.failure(let error), .success(let numbers)):
      if !error.isLimit { report("SQLite fails: \(error); memory \(numbers)") }
    }
  }

  private static let keepsGoing = ProcessInfo.processInfo.environment["FUZZ_KEEP_GOING"] != nil

  /// Says what differs and ends the process; with FUZZ_KEEP_GOING in the environment it goes on.
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

/// The bytes of an input as a row of choices; zeros behind the end.
struct Choices {
  private let bytes: [UInt8]
  private var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position >= bytes.count }

  /// A number below a limit.
  mutating func next(_ limit: Int) -> Int {
    guard position < bytes.count else { return 0 }
    defer { position += 1 }
    return Int(bytes[position]) % limit
  }
}
