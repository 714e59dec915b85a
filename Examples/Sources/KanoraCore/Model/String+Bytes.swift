extension String {
  /// Returns whether two texts have the same characters in the same Unicode form.
  ///
  /// Texts that are equal can differ in the form of an accent.
  func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
