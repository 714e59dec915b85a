public import ArgumentParser
public import Foundation

/// Why a command does nothing, in a sentence.
public struct CommandFailure: Error, CustomStringConvertible {
  /// The sentence.
  public let description: String

  /// Makes an error of a sentence.
  public init(_ description: String) { self.description = description }
}

extension UUID: @retroactive ExpressibleByArgument {
  /// Reads an id.
  public init?(argument: String) { self.init(uuidString: argument) }
}
