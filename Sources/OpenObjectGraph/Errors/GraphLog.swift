internal import Logging

/// The log of the object graph.
package enum GraphLog {
  private static let logger = Logger(label: "OpenCoreData.ObjectGraph")

  /// Logs an error.
  package static func error(_ message: String) { logger.error("\(message)") }
  /// Logs a notice.
  package static func notice(_ message: String) { logger.notice("\(message)") }
  /// Logs a warning.
  package static func warning(_ message: String) { logger.warning("\(message)") }
}
