package import Foundation
internal import Synchronization

/// Archives and unarchives the values of transformable attributes, in Apple's format for keyed
/// archives.
///
/// This type itself encodes and decodes values of Foundation's classes, because Foundation's
/// archiver terminates the program for values that it does not support. Objects of other classes
/// encode themselves if their class is allowed. Archived data never decides which class is
/// instantiated.
package enum ValueArchive {
  /// The maximum nesting depth of collections and objects.
  static let greatestDepth = 64

  /// Returns the archive of a value.
  ///
  /// - Parameters:
  ///   - value: The value to archive.
  ///   - classes: The classes of the application whose objects the value may contain.
  /// - Throws: `ModelError` with code `.unarchivable` for a value that ``value(in:allowing:)``
  ///   could not read back. If the value contains objects of the application, also throws the
  ///   errors of ``value(in:allowing:)``, because the method reads the archive back.
  package static func data(
    of value: Any, allowing classes: [any NSCoding.Type] = []
  ) throws(ModelError) -> Data {
    let archiver = ValueArchiver(allowing: classes)
    let data = try archiver.data(of: value)
    // Only the application's classes know how their objects are decoded.
    if archiver.hasObjects { _ = try self.value(in: data, allowing: classes) }
    return data
  }

  /// Returns the value in an archive; nil if the archive contains null.
  ///
  /// - Parameters:
  ///   - data: The archive.
  ///   - classes: The classes of the application whose objects may be decoded.
  /// - Throws: `ModelError` with code `.malformed` for damaged data, or with code `.unarchivable`
  ///   for an object of a class that is neither known nor allowed, or for values nested more
  ///   than 64 levels deep.
  package static func value(
    in data: Data, allowing classes: [any NSCoding.Type] = []
  ) throws(ModelError) -> Any? {
    let archive = try KeyedArchive(data)
    let unarchiver = ValueUnarchiver(allowing: classes, budget: data.count)
    return try unarchiver.value(archive.rootValue())
  }

  private static let names = Mutex<[ObjectIdentifier: String?]>([:])

  /// Returns the name by which archives identify an application's class; nil for a type without a
  /// stable name.
  ///
  /// In source code that the build plug-in has rewritten, the attribute `@objc(Name)` specifies the
  /// name.
  package static func name(of type: any NSCoding.Type) -> String? {
    let key = ObjectIdentifier(type)
    if let known = names.withLock({ $0[key] }) { return known }
    let name = (type as? AnyClass).flatMap { TypeRecords.markedName(of: $0) } ?? swiftName(of: type)
    names.withLock { $0[key] = .some(name) }
    return name
  }

  /// Returns whether a class has a name in archives. An archive contains the Swift name of a class
  /// if the class did not have another name when the archive was written.
  static func matches(_ type: any NSCoding.Type, _ name: String) -> Bool {
    self.name(of: type) == name || swiftName(of: type) == name
  }

  private static func swiftName(of type: any NSCoding.Type) -> String? {
    let name = String(reflecting: type)
    return name.contains { "<( ".contains($0) } ? nil : name
  }
}

extension ModelError {
  /// Creates the error for a value that cannot be archived or an archive that cannot be read.
  static func unarchivableValue(_ reason: String) -> ModelError {
    ModelError(.unarchivable, reason)
  }

  static var deeplyNested: ModelError {
    unarchivableValue("The values are nested more than \(ValueArchive.greatestDepth) levels deep.")
  }
}
