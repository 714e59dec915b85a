/// The differences between a file of Apple's framework and the statements for its model, with
/// reasons.
struct LayoutException {
  /// Names of generated statements that are not in the file.
  var ours: Set<String> = []
  /// Names or prefixes of statements in the file that are not generated.
  var theirs: [String] = []
  /// Name prefixes of statements at another position in the file.
  var moved: [String] = []

  /// By the store's path in the collection.
  static let all: [String: LayoutException] = [
    // Created by a migration, which first creates the system tables, then the tables that it keeps.
    "coredataplus/SampleModel_V2.sqlite": LayoutException(
      moved: ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE", "ZPERSON"]),
    "osxphotos/macOS-13.5.1/Photos.sqlite": LayoutException(
      // Private to Photos: indexes, triggers and an R-tree that its model does not have.
      theirs: ["RADAR_", "ZT_", "Z_RT_Asset_boundedByRect"],
      // Join tables of one entity are in the order of a hash table.
      moved: (0...9).map { "Z_\($0)" }),
  ]
}
