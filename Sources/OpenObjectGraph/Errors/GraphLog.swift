internal import Logging
internal import Synchronization

/// The log of the object graph.
package enum GraphLog {
  private static let logger = Logger(label: "OpenCoreData.ObjectGraph")

  private static let omitsClasses = Atomic<Bool>(false)

  /// Turns off the warnings about missing classes, for programs that do not contain the classes of
  /// the models that they open.
  package static func omitMissingClasses() { omitsClasses.store(true, ordering: .relaxed) }

  /// Logs that the class of an entity is missing.
  static func missingClass(_ name: String) {
    if omitsClasses.load(ordering: .relaxed) { return }
    warning("Unable to load class named '\(name)'. NSManagedObject is used instead.")
  }

  /// Writes a message to the log with the level `error`.
  package static func error(_ message: String) { logger.error("\(message)") }
  /// Writes a message to the log with the level `notice`.
  package static func notice(_ message: String) { logger.notice("\(message)") }
  /// Writes a message to the log with the level `warning`.
  package static func warning(_ message: String) { logger.warning("\(message)") }
}
