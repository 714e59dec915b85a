import Foundation
import Synchronization

/// The C argument lists made by `getVaList` and `withVaList`, with the Swift values they came from.
///
/// Shared: its state is in one `Mutex`. The memory of a list is laid out as C expects it, so that C
/// functions can read it too. On Apple platforms the caller's autorelease pool ends a list; here the
/// oldest lists end when newer ones exceed a limit.
enum ArgumentList {
  /// One list: its memory, its values, and what its pointers point to.
  ///
  /// Unchecked: the values are only handed out, never changed, and the memory is written once.
  private struct Record: @unchecked Sendable {
    let words: UnsafeMutablePointer<Int>
    let values: [any CVarArg]
    let keptAlive: [AnyObject]

    func free() {
      words.deallocate()
    }
  }

  private struct State {
    var records: [Int: Record] = [:]
    var order: [Int] = []
    var oldest = 0
  }

  /// How many lists of `getVaList` stay readable.
  private static let limit = 1_024
  private static let state = Mutex(State())

  /// Creates a list that stays until many newer ones exist.
  static func make(_ values: [any CVarArg]) -> CVaListPointer {
    let (record, pointer) = build(values)
    let key = key(of: pointer)
    let evicted = state.withLock { state in
      state.records[key] = record
      state.order.append(key)
      return evict(from: &state)
    }
    evicted?.free()
    return pointer
  }

  /// Creates a list for the time of a call.
  static func with<Result>(
    _ values: [any CVarArg], _ body: (CVaListPointer) -> Result
  ) -> Result {
    let (record, pointer) = build(values)
    let key = key(of: pointer)
    state.withLock { $0.records[key] = record }
    defer {
      state.withLock { $0.records[key] = nil }
      record.free()
    }
    return body(pointer)
  }

  /// The values of a list; nil for one that was not made here.
  static func arguments(of pointer: CVaListPointer) -> [Any?]? {
    let key = key(of: pointer)
    return state.withLock { $0.records[key] }?.values
  }

  private static func evict(from state: inout State) -> Record? {
    guard state.order.count - state.oldest > limit else { return nil }
    let record = state.records.removeValue(forKey: state.order[state.oldest])
    state.oldest += 1
    if state.oldest > limit {
      state.order.removeFirst(state.oldest)
      state.oldest = 0
    }
    return record
  }

  // MARK: Memory

  /// Words before the arguments: the list structure itself.
  private static let headerLength = 4

  /// Lays out a list whose registers are used up, so that all arguments are read from memory.
  private static func build(_ values: [any CVarArg]) -> (Record, CVaListPointer) {
    var keptAlive: [AnyObject] = []
    let encoded = values.flatMap { encode($0, &keptAlive) }
    let words = UnsafeMutablePointer<Int>.allocate(capacity: headerLength + encoded.count + 1)
    words.initialize(repeating: 0, count: headerLength + encoded.count + 1)
    for (index, word) in encoded.enumerated() { words[headerLength + index] = word }
    let record = Record(words: words, values: values, keptAlive: keptAlive)
    return (record, pointer(to: words))
  }

  private static func pointer(to words: UnsafeMutablePointer<Int>) -> CVaListPointer {
    let stack = Int(bitPattern: words + headerLength)
    #if arch(x86_64)
      // Offsets behind the last general (48) and the last vector register (176), then the stack.
      words[0] = 48 | 176 << 32
      words[1] = stack
      var bits = [Int(bitPattern: words), 0, 0, 0]
    #else
      // The stack first; offsets of zero mean that no register is left.
      var bits = [stack, 0, 0, 0]
    #endif
    return bits.withUnsafeMutableBytes { $0.load(as: CVaListPointer.self) }
  }

  private static func key(of pointer: CVaListPointer) -> Int {
    withUnsafeBytes(of: pointer) { $0.load(as: Int.self) }
  }

  /// Numbers as C passes them; anything else as a pointer to an object.
  private static func encode(_ value: any CVarArg, _ keptAlive: inout [AnyObject]) -> [Int] {
    if value is any BinaryInteger || value is any BinaryFloatingPoint || value is Bool {
      return value._cVarArgEncoding
    }
    if value is OpaquePointer { return value._cVarArgEncoding }
    let object = value as AnyObject
    keptAlive.append(object)
    return [Int(bitPattern: Unmanaged.passUnretained(object).toOpaque())]
  }
}

/// Creates a C argument list for `NSPredicate(format:arguments:)`.
///
/// The list keeps the types of its values. It is valid until about a thousand newer lists were created.
///
/// - Returns: The value.
public func getVaList(_ arguments: [any CVarArg]) -> CVaListPointer {
  ArgumentList.make(arguments)
}

/// Calls `body` with a C argument list that keeps the types of its values and ends with the call.
///
/// - Returns: The result of the block.
public func withVaList<Result>(
  _ arguments: [any CVarArg], _ body: (CVaListPointer) -> Result
) -> Result {
  ArgumentList.with(arguments, body)
}
