package import Foundation

/// The archives that transformable attributes keep: keyed archives of Apple's form.
///
/// Values of Foundation's classes are written and read here, without Foundation's archiver, which stops the program for
/// values that it cannot take. Objects of other classes code themselves, if their class is among those allowed: data
/// never decides which class is instantiated.
package enum ValueArchive {
  /// How deeply collections and objects may be nested.
  static let greatestDepth = 64

  /// The archive of a value.
  ///
  /// - Parameter classes: The classes of the application whose objects the value may contain.
  /// - Throws: `ModelError` with code `.unarchivable` for a value that could not be read back.
  package static func data(
    of value: Any, allowing classes: [any NSCoding.Type] = []
  ) throws(ModelError) -> Data {
    let archiver = ValueArchiver(allowing: classes)
    let data = try archiver.data(of: value)
    // How objects of the application are decoded is known only to their classes.
    if archiver.hasObjects { _ = try self.value(in: data, allowing: classes) }
    return data
  }

  /// The value in an archive; nil for no object.
  ///
  /// - Parameter classes: The classes of the application whose objects may be decoded.
  /// - Throws: `ModelError` with code `.malformed` for damaged data, `.unarchivable` for an object of a class that is
  ///   neither known here nor allowed.
  package static func value(
    in data: Data, allowing classes: [any NSCoding.Type] = []
  ) throws(ModelError) -> Any? {
    let archive = try KeyedArchive(data)
    let unarchiver = ValueUnarchiver(allowing: classes, budget: data.count)
    return try unarchiver.value(archive.rootValue())
  }

  /// The name under which archives have a class of the application; nil for one without a lasting name.
  package static func name(of type: Any.Type) -> String? {
    let name = String(reflecting: type)
    return name.contains { "<( ".contains($0) } ? nil : name
  }
}

extension ModelError {
  /// Why a value cannot be archived, or an archive not be read.
  static func unarchivableValue(_ reason: String) -> ModelError {
    ModelError(.unarchivable, reason)
  }

  static var deeplyNested: ModelError {
    unarchivableValue("Its values are nested more than \(ValueArchive.greatestDepth) deep.")
  }
}
