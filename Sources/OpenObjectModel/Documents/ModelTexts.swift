internal import Foundation

/// The texts for users of a model, in `NAMEModel.strings` beside the model or in a language's folder there.
enum ModelTexts {
  /// The texts of a model in the language that Foundation chooses for its folder.
  ///
  /// - Parameter url: A model, or a version in the folder of one, whose name then counts.
  /// - Returns: The texts by Apple's keys; nil without such a file, and for one that is no table of texts.
  static func texts(ofModelAt url: URL) -> [String: String]? {
    let folder = url.deletingLastPathComponent()
    let isVersion = ["momd", "xcdatamodeld"].contains(folder.pathExtension)
    let model = isVersion ? folder : url
    let name = model.deletingPathExtension().lastPathComponent
    guard
      let file = Bundle(url: model.deletingLastPathComponent())?
        .url(forResource: "\(name)Model", withExtension: "strings"),
      let data = try? Data(contentsOf: file)
    else { return nil }
    // A table that cannot be read leaves the names of the model, as a missing text does.
    return PropertyListDictionary.read(data) as? [String: String]
  }
}
