internal import Logging

/// The log of the object graph.
package enum GraphLog {
  private static let logger = Logger(label: "OpenCoreData.ObjectGraph")

  package static func error(_ message: String) { logger.error("\(message)") }
  package static func notice(_ message: String) { logger.notice("\(message)") }
  package static func warning(_ message: String) { logger.warning("\(message)") }
}
