internal import Logging

/// The log of the object graph.
enum GraphLog {
  private static let logger = Logger(label: "OpenCoreData.ObjectGraph")

  static func error(_ message: String) { logger.error("\(message)") }
  static func notice(_ message: String) { logger.notice("\(message)") }
  static func warning(_ message: String) { logger.warning("\(message)") }
}
