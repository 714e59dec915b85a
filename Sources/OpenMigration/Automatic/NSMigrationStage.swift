public import Foundation

/// One stage of a staged migration: a lightweight stage, or one with the application's handlers.
///
/// > Reference: Apple, NSMigrationStage.
open class NSMigrationStage: NSObject {
  /// A text for people.
  open var label: String! = ""

  /// Creates a stage; use one of the subclasses.
  public override init() { super.init() }
}

/// Versions of a model from each of which a store gets to the next one with an inferred mapping.
///
/// The last one leads to the first version of the next stage, or to the model that the store is opened with. Versions between are
/// passed over where one mapping can be inferred for all.
///
/// > Reference: Apple, NSLightweightMigrationStage.
open class NSLightweightMigrationStage: NSMigrationStage {
  /// The checksums of the versions, the oldest first.
  public let versionChecksums: [String]

  /// Creates a stage from versions.
  ///
  /// - Parameter versionChecksums: The checksums of the versions, the oldest first.
  public init(_ versionChecksums: [String]) {
    self.versionChecksums = versionChecksums
    super.init()
  }
}
