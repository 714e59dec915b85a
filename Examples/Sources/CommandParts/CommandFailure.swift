public import ArgumentParser
public import Foundation

/// The reason why a command fails, in a sentence.
public struct CommandFailure: Error, CustomStringConvertible {
  /// The reason.
  public let description: String

  /// Creates a failure with a description.
  public init(_ description: String) { self.description = description }
}

extension UUID: @retroactive ExpressibleByArgument {
  /// Parses an id.
  public init?(argument: String) { self.init(uuidString: argument) }
}
