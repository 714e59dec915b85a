public import Foundation

/// One stage of a staged migration: a lightweight stage, or one with the application's handlers.
///
/// > Reference: Apple, NSMigrationStage.
open class NSMigrationStage: NSObject {
  /// A description of the stage for users and logs.
  open var label: String! = ""

  /// Creates a stage; use one of the subclasses.
  public override init() { super.init() }
}

/// Consecutive versions of a model, each of which migrates to the next one with an inferred mapping.
///
/// The last version migrates to the first version of the next stage, or to the model with which the store is opened. Intermediate
/// versions are skipped if one mapping can be inferred for all of them.
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
