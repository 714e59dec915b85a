internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import Synchronization

/// Finds the name of the property to which a Swift key path refers, by evaluating the key path on a
/// probe object.
///
/// Key paths of Swift classes do not contain names. A probe is an object without an entity that
/// records each key that a managed getter reads. A to-one getter returns another probe, so the name
/// of `\Post.thread?.title` is `thread.title`.
///
/// This is an addition to Apple's API.
///
/// > Concurrency: Usable on any thread.
public enum KeyRecorder {
  // Used only while `lock` is held; key paths are immutable.
  nonisolated(unsafe) private static var names: [AnyKeyPath: String] = [:]
  private static let lock = Mutex(())

  /// Returns the dotted name of a key path, such as `thread.title`.
  ///
  /// - Parameter keyPath: A key path whose root is a managed class.
  /// - Returns: The name; nil if the root is not a managed class, or if the key path reads no
  ///   managed property or reads several properties that are not on one path.
  public static func name(of keyPath: AnyKeyPath) -> String? {
    var known: String?
    lock.withLock { _ in known = names[keyPath] }
    if let known { return known }
    guard let type = type(of: keyPath).rootType as? NSManagedObject.Type else { return nil }
    let recording = Recording()
    _ = (makeProbe(type, recording) as Any)[keyPath: keyPath]
    guard let name = recording.name else { return nil }
    lock.withLock { _ in names[keyPath] = name }
    return name
  }

  /// Returns the dotted name of the property that a closure reads from a probe.
  ///
  /// - Parameters:
  ///   - type: The class of the probe.
  ///   - read: A closure that reads the property.
  /// - Returns: The name; nil if the closure reads no property, or reads several properties that
  ///   are not on one path.
  package static func name(
    readingAn type: NSManagedObject.Type, _ read: (NSManagedObject) -> Void
  ) -> String? {
    let recording = Recording()
    read(makeProbe(type, recording))
    return recording.name
  }

  /// Returns whether an object is a probe, which only records the properties that code reads.
  @inline(__always)
  package static func isProbe(_ object: NSManagedObject) -> Bool {
    object.registration == .detached && object.entityToken == EmptyEntity.shared.token
      && hasRecording(object)
  }

  private static func hasRecording(_ object: NSManagedObject) -> Bool {
    object.extras?.values[0] is Recording
  }

  /// Records a read of a property if the object is a probe; does nothing otherwise.
  ///
  /// - Parameters:
  ///   - key: The key of the property.
  ///   - object: The object, which may be a probe.
  package static func record(_ key: __ManagedKey, on object: NSManagedObject) {
    _ = records(key.name, on: object)
  }

  /// Records a read of a relationship on a probe.
  ///
  /// - Parameters:
  ///   - object: The object, which may be a probe.
  ///   - key: The key of the relationship.
  ///   - type: The class of the destination.
  /// - Returns: A probe for the destination; nil if the object is not a probe.
  @inline(__always)
  package static func recordedDestination<Destination: NSManagedObject>(
    of object: NSManagedObject, _ key: __ManagedKey, as type: Destination.Type
  ) -> Destination? {
    guard object.entityToken == EmptyEntity.shared.token, records(key.name, on: object) else {
      return nil
    }
    return destination(of: object, key.name, as: type)
  }

  /// The reads that the probes of one key path have recorded.
  final class Recording {
    fileprivate var path: String?
    /// Whether the getter reads several properties that are not on one path.
    fileprivate var readsSeveral = false

    /// The path of the property; nil if no property was read, or if ``readsSeveral`` is true.
    fileprivate var name: String? { readsSeveral ? nil : path }

    fileprivate func note(_ path: String, behind prefix: String?) {
      if self.path != prefix, self.path != path { readsSeveral = true }
      self.path = path
    }
  }

  /// Records a read of a property on a probe.
  ///
  /// - Returns: `false` if the object is not a probe.
  @inline(__always)
  static func records(_ key: String, on object: NSManagedObject) -> Bool {
    guard object.entityToken == EmptyEntity.shared.token else { return false }
    return note(key, on: object)
  }

  private static func note(_ key: String, on object: NSManagedObject) -> Bool {
    guard let recording = object.extras?.values[0] as? Recording else { return false }
    let prefix = object.extras?.values[1] as? String
    recording.note(prefix.map { "\($0).\(key)" } ?? key, behind: prefix)
    return true
  }

  /// Returns the probe at the end of a to-one relationship of a probe.
  static func destination<Destination: NSManagedObject>(
    of object: NSManagedObject, _ key: String, as type: Destination.Type
  ) -> Destination? {
    guard let recording = object.extras?.values[0] as? Recording else { return nil }
    return makeProbe(type, recording, prefix: recording.path)
  }

  private static func makeProbe<Probe: NSManagedObject>(
    _ type: Probe.Type, _ recording: Recording, prefix: String? = nil
  ) -> Probe {
    let probe = type.init(__materializing: NSEntityDescription())
    let extras = ObjectExtras()
    extras.values[0] = recording
    extras.values[1] = prefix
    probe.extras = extras
    return probe
  }
}

extension NSManagedObject: KeyPathNaming {
  /// Returns the dotted name of a key path; nil if the key path reads a property that is not
  /// managed.
  package static func name(ofKeyPath keyPath: AnyKeyPath) -> String? {
    if let name = KeyRecorder.name(of: keyPath) { return name }
    return type(of: keyPath).valueType == NSManagedObjectID.self ? "objectID" : nil
  }
}
