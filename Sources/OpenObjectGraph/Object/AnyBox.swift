internal import Foundation
internal import OpenObjectModel
internal import Synchronization

/// A box for a value of any type, and for the archive of that value during a save.
///
/// > Concurrency: Confined to the queue of the context whose object has the value.
final class AnyBox {
  let value: Any
  /// The value's archive, from the validation of a save until its rows are packed.
  private(set) var archive: Data?
  private var save = SaveNumber.none

  init(_ value: Any) { self.value = value }

  /// Creates the archive, once in each save.
  ///
  /// Later saves do not reuse the archive, because the value may have changed in place.
  ///
  /// - Throws: `ModelError` for a value that could not be decoded again.
  func archive(for property: CompiledProperty, in save: SaveNumber) throws(ModelError) {
    if self.save != save { archive = nil }
    try makeArchive(for: property)
    self.save = save
  }

  /// Creates the archive if there is none.
  ///
  /// - Throws: `ModelError` for a value that could not be decoded again.
  func makeArchive(for property: CompiledProperty) throws(ModelError) {
    if archive == nil { archive = try AttributeTransform.data(from: value, property) }
  }

  func forgetArchive() { archive = nil }
}

/// A number that identifies a save in the process.
struct SaveNumber: Equatable {
  private let number: Int
  private static let last = Atomic<Int>(0)

  /// The number for no save.
  static let none = SaveNumber(number: 0)

  private init(number: Int) { self.number = number }

  /// Creates the number of a new save.
  init() { number = Self.last.add(1, ordering: .relaxed).newValue }
}
