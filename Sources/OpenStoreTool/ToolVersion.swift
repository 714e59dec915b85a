/// The version of the tool.
package enum ToolVersion {
  /// The version number that `coredata --version` prints.
  package static let text = "0.1.0"
}
