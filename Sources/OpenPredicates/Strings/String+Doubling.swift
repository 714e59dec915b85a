extension String {
  /// Returns the string with each occurrence of a mark doubled, as in the quoted names and texts of
  /// SQL and CSV.
  ///
  /// Methods that compare characters, such as `replacing(_:with:)`, do not find a mark that is
  /// followed by a combining mark, because both together are one character.
  ///
  /// - Parameter mark: The mark to double, such as a quotation mark.
  package func doubling(_ mark: Unicode.Scalar) -> String {
    var doubled = UnicodeScalarView()
    for scalar in unicodeScalars {
      doubled.append(scalar)
      if scalar == mark { doubled.append(mark) }
    }
    return String(doubled)
  }
}
