extension String {
  /// The text with dots instead of control characters other than line feeds. Control characters
  /// could move the cursor of a terminal.
  package var withoutControlCharacters: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { scalar in
          scalar != "\n" && scalar.properties.generalCategory == .control ? "·" : scalar
        }))
  }
}
