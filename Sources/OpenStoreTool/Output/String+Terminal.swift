extension String {
  /// The text with dots instead of control characters, which could move the cursor of a terminal.
  /// Line feeds are kept.
  package var withoutControlCharacters: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { scalar in
          scalar != "\n" && scalar.properties.generalCategory == .control ? "·" : scalar
        }))
  }
}
