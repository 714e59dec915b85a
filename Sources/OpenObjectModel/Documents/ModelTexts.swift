internal import Foundation

/// The localized strings of a model, in `NAMEModel.strings` next to the model or in a language's
/// folder there.
enum ModelTexts {
  /// Returns the localized strings of a model in the language that Foundation chooses for its
  /// folder.
  ///
  /// - Parameter url: A model, or a version in a model's folder; a version has the strings of its
  ///   folder's name.
  /// - Returns: The strings by Apple's keys; nil if there is no such file or the file is not a
  ///   strings table.
  static func texts(ofModelAt url: URL) -> [String: String]? {
    let model = ModelVersions.container(of: url)
    let name = model.deletingPathExtension().lastPathComponent
    guard
      let file = Bundle(url: model.deletingLastPathComponent())?
        .url(forResource: "\(name)Model", withExtension: "strings"),
      let data = try? Data(contentsOf: file)
    else { return nil }
    // If the table cannot be read, names remain untranslated, as they do without a table.
    return PropertyListDictionary.read(data) as? [String: String]
  }
}
