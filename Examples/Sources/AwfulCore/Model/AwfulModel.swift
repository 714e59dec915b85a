public import CoreData
import Foundation

/// The reader's model document, with all its versions.
///
/// | Step | Change |
/// |---|---|
/// | 1 → 2 | the page of a thread in its forum's list replaces a flag; the thread's class is renamed |
/// | 2 → 3 | announcements |
/// | 3 → 4 | fetch indexes replace index flags; a transient attribute; the version hashes stay the same |
/// | 4 → 5 | the image of a thread's rating |
/// | 5 → 6 | eight dates as the site prints them; addresses use a named transformer |
/// | 6 → 7 | folders of private messages; the sender and recipient of a message become optional |
/// | 7 → 8 | the text of a post without its markup, for searches |
public enum AwfulModel {
  /// The name of the model and of its document.
  public static let name = "Awful"
  /// The number of the newest version; the first one is 1.
  public static let newestVersion = 8

  private static var document: URL {
    Bundle.module.bundleURL.appendingPathComponent("\(name).xcdatamodeld")
  }

  /// Reads the newest version of the model.
  ///
  /// - Returns: A new model on each call.
  /// - Throws: `ModelError` if the document is missing or invalid.
  public static func make() throws -> NSManagedObjectModel {
    try NSManagedObjectModel.reading(document)
  }

  /// Reads a version of the model.
  ///
  /// - Parameter version: The version's number.
  /// - Returns: A new model on each call.
  /// - Throws: `ModelError` if the version does not exist.
  public static func make(version: Int) throws -> NSManagedObjectModel {
    try NSManagedObjectModel.reading(
      document.appendingPathComponent("\(name) \(version).xcdatamodel"))
  }
}
