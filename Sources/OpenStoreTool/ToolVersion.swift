/// The version of the tool.
package enum ToolVersion {
  /// What `coredata --version` prints.
  package static let text = "0.1.0"
}
