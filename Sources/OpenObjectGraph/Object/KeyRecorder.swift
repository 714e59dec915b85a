internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import Synchronization

/// Finds the name of a property from a Swift key path, by reading the key path on an object made for it.
///
/// Key paths of classes without Objective-C know no names. A probe object, which belongs to no entity,
/// notes each key that a managed getter reads; a to-one getter hands out a further probe, so that
/// `\Post.thread?.title` gives "thread.title".
public enum KeyRecorder {
  // Used only while `lock` is held; key paths are immutable.
  nonisolated(unsafe) private static var names: [AnyKeyPath: String] = [:]
  private static let lock = Mutex(())

  /// The dotted name of a key path of a managed class; nil when it reads anything but managed properties.
  public static func name(of keyPath: AnyKeyPath) -> String? {
    var known: String?
    lock.withLock { _ in known = names[keyPath] }
    if let known { return known }
    guard let type = type(of: keyPath).rootType as? NSManagedObject.Type else { return nil }
    let recording = Recording()
    let probe = type.init(__materializing: NSEntityDescription())
    probe.makeProbe(recording)
    _ = (probe as Any)[keyPath: keyPath]
    guard let name = recording.name else { return nil }
    lock.withLock { _ in names[keyPath] = name }
    return name
  }

  /// What the probes of one key path noted.
  final class Recording {
    fileprivate var name: String?
  }

  /// Notes a read of a probe.
  ///
  /// - Returns: false for an object that is no probe.
  @inline(__always)
  static func records(_ key: String, on object: NSManagedObject) -> Bool {
    guard object.entityToken == EmptyEntity.shared.token else { return false }
    return note(key, on: object)
  }

  private static func note(_ key: String, on object: NSManagedObject) -> Bool {
    guard let recording = object.extras?.values[0] as? Recording else { return false }
    let prefix = object.extras?.values[1] as? String
    recording.name = prefix.map { "\($0).\(key)" } ?? key
    return true
  }

  /// The probe at the end of a to-one relationship of a probe.
  static func destination<Destination: NSManagedObject>(
    of object: NSManagedObject, _ key: String, as type: Destination.Type
  ) -> Destination? {
    guard let recording = object.extras?.values[0] as? Recording else { return nil }
    let probe = type.init(__materializing: NSEntityDescription())
    probe.makeProbe(recording, prefix: recording.name)
    return probe
  }
}

extension NSManagedObject {
  fileprivate final func makeProbe(_ recording: KeyRecorder.Recording, prefix: String? = nil) {
    extras = ObjectExtras()
    extras?.values[0] = recording
    extras?.values[1] = prefix
  }
}

extension NSManagedObject: KeyPathNaming {
  package static func name(ofKeyPath keyPath: AnyKeyPath) -> String? {
    KeyRecorder.name(of: keyPath)
  }
}
