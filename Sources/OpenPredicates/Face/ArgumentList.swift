import Foundation
import Synchronization

/// The C argument lists of `getVaList` and `withVaList`, with the Swift values from which they were
/// created.
///
/// The lists are in a `Mutex`. The memory of a list has the layout of C, so that C functions can
/// read it. On Apple platforms, the caller's autorelease pool frees a list; here, the oldest lists
/// are freed when their number exceeds a limit.
enum ArgumentList {
  /// A list: its memory, its values, and the objects to which its pointers refer.
  ///
  /// Unchecked: the values are never changed, and the memory is written once.
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

  /// The number of lists from `getVaList` that remain readable.
  private static let limit = 1_024
  private static let state = Mutex(State())

  /// Creates a list that remains readable until many newer lists exist.
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

  /// Creates a list that exists during a call.
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

  /// Returns the values of a list; nil if this type did not create the list.
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

  /// The number of words before the arguments, which form the list structure itself.
  private static let headerLength = 4

  /// Creates a list without free registers, so that all arguments are read from memory.
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
      // Offsets behind the last general register (48) and the last vector register (176), followed
      // by the stack.
      words[0] = 48 | 176 << 32
      words[1] = stack
      var bits = [Int(bitPattern: words), 0, 0, 0]
    #else
      // The stack comes first; offsets of zero mean that no register is left.
      var bits = [stack, 0, 0, 0]
    #endif
    return bits.withUnsafeMutableBytes { $0.load(as: CVaListPointer.self) }
  }

  private static func key(of pointer: CVaListPointer) -> Int {
    withUnsafeBytes(of: pointer) { $0.load(as: Int.self) }
  }

  /// Encodes numbers as C passes them, and any other value as a pointer to an object.
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

/// Returns a C argument list for `NSPredicate(format:arguments:)`.
///
/// The list preserves the types of its values. The list remains valid until the process has created
/// 1,024 newer lists.
///
/// - Parameter arguments: The values of the list.
public func getVaList(_ arguments: [any CVarArg]) -> CVaListPointer {
  ArgumentList.make(arguments)
}

/// Calls `body` with a C argument list that is valid only during the call.
///
/// The list preserves the types of its values.
///
/// - Parameters:
///   - arguments: The values of the list.
///   - body: A closure that uses the list.
/// - Returns: The result of `body`.
public func withVaList<Result>(
  _ arguments: [any CVarArg], _ body: (CVaListPointer) -> Result
) -> Result {
  ArgumentList.with(arguments, body)
}
