import Foundation
import StoriesCore
import WebPages

/// The style sheet of the pages in the color scheme that the profile selects.
enum StyleSheet {
  /// Returns the style sheet.
  ///
  /// - Parameter scheme: The color scheme; by default, browsers select the scheme of the system.
  /// - Throws: `CocoaError` if a resource does not exist.
  static func answer(_ scheme: DarkModePreference) throws -> WebAnswer {
    let names = ["stories.css"] + (scheme == .system ? [] : ["\(scheme.rawValue).css"])
    var bytes = Data()
    for name in names {
      if case .file(let part, _) = try WebAnswer.file(name, in: .module) { bytes += part }
    }
    return .file(bytes, contentType: "text/css; charset=utf-8")
  }
}
