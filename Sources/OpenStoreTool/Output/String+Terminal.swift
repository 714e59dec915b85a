extension String {
  /// Returns the text with dots instead of control characters, which could move the cursor of a
  /// terminal.
  ///
  /// - Parameter kept: A control character to keep; nil to keep none.
  package func withoutControlCharacters(except kept: Unicode.Scalar?) -> String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { scalar in
          scalar != kept && scalar.properties.generalCategory == .control ? "·" : scalar
        }))
  }
}
