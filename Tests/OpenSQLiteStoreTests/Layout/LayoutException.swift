/// Where a file of Apple's framework differs from the statements made for its model, and why.
struct LayoutException {
  /// Names of statements that we make and the file does not have.
  var ours: Set<String> = []
  /// Names, or their beginnings, of statements that the file has and we do not make.
  var theirs: [String] = []
  /// Beginnings of the names of statements that stand elsewhere in the file.
  var moved: [String] = []

  /// By the store's path in the collection.
  static let all: [String: LayoutException] = [
    // Made by a migration, which makes the tables of the system first and those that it keeps next.
    "coredataplus/SampleModel_V2.sqlite": LayoutException(
      moved: ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE", "ZPERSON"]),
    "osxphotos/macOS-13.5.1/Photos.sqlite": LayoutException(
      // Private to Photos: indexes, triggers and an R-tree that its model does not have.
      theirs: ["RADAR_", "ZT_", "Z_RT_Asset_boundedByRect"],
      // Tables of pairs of one entity come in the order of a hash table.
      moved: (0...9).map { "Z_\($0)" }),
  ]
}
