/// The version of the examples, which is the library's.
public enum ExampleVersion {
  /// What the option `--version` prints.
  public static let text = "0.1.0"
}
