public import Foundation

/// A stage of a staged migration: either a lightweight stage or a stage with handlers that the
/// application provides.
///
/// > Reference: Apple, NSMigrationStage.
open class NSMigrationStage: NSObject {
  /// A description of the stage for users and logs; empty by default.
  open var label: String! = ""

  /// Creates a stage that does nothing.
  ///
  /// Applications create instances of the subclasses instead.
  public override init() { super.init() }
}

/// A stage that migrates a store through consecutive model versions with inferred mappings.
///
/// After the stage, the library migrates the store from the stage's last version to the first
/// version of the next stage. If there is no next stage, the library migrates the store to the
/// model with which the store is opened. If a mapping can be inferred directly from the store's
/// version to the last version, the stage may skip the intermediate versions. The stage skips these
/// versions only if this mapping keeps the same values as a migration through each intermediate
/// version.
///
/// > Reference: Apple, NSLightweightMigrationStage.
open class NSLightweightMigrationStage: NSMigrationStage {
  /// The checksums of the versions, the oldest first.
  public let versionChecksums: [String]

  /// Creates a stage for the model versions with the given checksums.
  ///
  /// When the stage runs and a version that it does not skip is not found, opening the store throws
  /// `CocoaError` 134504.
  ///
  /// - Parameter versionChecksums: The checksums of the versions, the oldest first. A stage with an
  ///   empty array has no effect.
  public init(_ versionChecksums: [String]) {
    self.versionChecksums = versionChecksums
    super.init()
  }
}
