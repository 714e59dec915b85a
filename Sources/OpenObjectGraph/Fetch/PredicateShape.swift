internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import Synchronization

/// A list of words that distinguishes two predicates, apart from their arguments.
///
/// Each part of a predicate adds one word with a tag in its three lowest bits. The tag determines
/// how many words follow it. Therefore no two lists of parts have the same words.
struct PredicateShape: Hashable {
  /// The meaning of a word, in its three lowest bits.
  enum Tag: UInt64 {
    /// The identity of a template.
    case template = 0
    /// The type of a compound predicate and the number of its parts.
    case compound = 1
    case constant = 2
    /// A marker: 0 precedes the predicate of the `HAVING` clause, and 1 represents a block
    /// predicate.
    case mark = 3
    /// A group of 64 arguments. The next word marks the null arguments of the group, and the word
    /// after it marks the lists.
    case forms = 4
    /// The position of an argument that is not a value.
    case object = 5
    /// The position of an argument that is an entity; the next word identifies the entity.
    case entity = 6
    /// A number that is unique to one predicate.
    case unique = 7
  }

  /// The first word, or zero for no predicate; most predicates need only one word.
  private var first: UInt64 = 0
  private var rest: [UInt64] = []

  mutating func append(_ number: UInt64, _ tag: Tag) { append(number << 3 | tag.rawValue) }

  /// Adds a word that the tag of an earlier word requires.
  mutating func append(_ word: UInt64) {
    // The first word is never zero: identities and numbers begin at 1, and all other tags are
    // greater than 0.
    if first == 0 { first = word } else { rest.append(word) }
  }
}

/// The arguments of a request's predicates in the order of their trees, and the predicates' shape.
struct PredicateArguments {
  private(set) var values: [Value] = []
  private(set) var shape = PredicateShape()
  /// Whether no other predicate can have the shape.
  private(set) var isUnique = false
  private let model: CompiledModel

  init(of model: CompiledModel) { self.model = model }

  /// Moves the values to the caller, so that their array can be changed in place.
  mutating func takeValues() -> [Value] {
    var taken: [Value] = []
    swap(&taken, &values)
    return taken
  }

  /// Collects the condition on groups; its shape differs from an equal condition on rows.
  mutating func collect(having form: PredicateForm) throws {
    shape.append(0, .mark)
    try collect(form)
  }

  mutating func collect(_ form: PredicateForm) throws {
    switch form {
    case .template(let template, let arguments, let variables):
      shape.append(template.identity, .template)
      // The variables are constants of this predicate only, so no other predicate can share its
      // shape.
      if !variables.isEmpty {
        isUnique = true
        shape.append(ShapeNumber.next(), .unique)
      }
      collect(arguments)
    case .compound(let type, let parts):
      shape.append(UInt64(parts.count) << 8 | UInt64(type.rawValue), .compound)
      for part in parts { try collect(part) }
    case .constant(let value): shape.append(value ? 1 : 0, .constant)
    case .block, .memory: shape.append(1, .mark)
    case .invalid(let error): throw error
    }
  }

  private mutating func collect(_ arguments: [Any?]) {
    values.reserveCapacity(values.count + arguments.count)
    var nulls: UInt64 = 0
    var lists: UInt64 = 0
    for index in arguments.indices {
      let value = Value(any: arguments[index]) ?? unnamed(arguments[index], index)
      switch value {
      case .null: nulls |= 1 << UInt64(index & 63)
      case .list: lists |= 1 << UInt64(index & 63)
      default: break
      }
      values.append(value)
      guard nulls | lists != 0, index & 63 == 63 || index == arguments.count - 1 else { continue }
      shape.append(UInt64(index >> 6), .forms)
      shape.append(nulls)
      shape.append(lists)
      (nulls, lists) = (0, 0)
    }
  }

  /// Adds an argument that is not a value to the shape.
  ///
  /// The shape distinguishes entities. A dictionary can only be the collection of `IN` or
  /// `CONTAINS`, so its values represent it. Predicates with other such arguments are evaluated in
  /// memory.
  private mutating func unnamed(_ argument: Any?, _ index: Int) -> Value {
    guard let entity = argument as? NSEntityDescription else {
      shape.append(UInt64(index), .object)
      return Value(valuesOf: argument) ?? .null
    }
    shape.append(UInt64(index), .entity)
    let known = entity.name.flatMap { model.entity(named: $0) }
    shape.append(known.map { UInt64($0.index) + 1 } ?? 0)
    return .null
  }
}

/// Numbers predicates whose shape cannot be shared.
private enum ShapeNumber {
  private static let counter = Atomic<UInt64>(1)

  static func next() -> UInt64 { counter.wrappingAdd(1, ordering: .relaxed).oldValue }
}
