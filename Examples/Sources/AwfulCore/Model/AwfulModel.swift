public import CoreData
import Foundation

/// The reader's model document.
public enum AwfulModel {
  /// The name of the model and of its document.
  public static let name = "Awful"

  /// Reads the newest version of the model.
  ///
  /// - Returns: A model of its own for each call.
  /// - Throws: `ModelError` when the document is missing or wrong.
  public static func make() throws -> NSManagedObjectModel {
    try NSManagedObjectModel.reading(
      Bundle.module.bundleURL.appendingPathComponent("\(name).xcdatamodeld"))
  }
}
