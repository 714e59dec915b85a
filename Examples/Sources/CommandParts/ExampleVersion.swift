/// The version of the examples, which is the version of the library.
public enum ExampleVersion {
  /// The text that the option `--version` prints.
  public static let text = "0.1.0"
}
