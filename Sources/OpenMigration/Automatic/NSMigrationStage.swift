public import Foundation

/// A stage of a staged migration: a lightweight stage, or a stage with handlers of the application.
///
/// > Reference: Apple, NSMigrationStage.
open class NSMigrationStage: NSObject {
  /// A description of the stage for users and logs.
  open var label: String! = ""

  /// Creates a stage without behavior. Applications create instances of the subclasses.
  public override init() { super.init() }
}

/// A stage for consecutive model versions, each of which migrates to the next version with an
/// inferred mapping.
///
/// The last version migrates to the first version of the next stage, or to the model that the store
/// is opened with. The intermediate versions are skipped if a mapping from the store's version to
/// the last version can be inferred directly.
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
