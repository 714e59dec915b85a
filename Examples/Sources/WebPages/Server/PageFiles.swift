public import Foundation

/// The style sheet, the script and the icon that all sites share.
enum PageFiles {
  /// Returns a shared file of the pages; nil for other paths.
  ///
  /// - Throws: An error of reading the file.
  static func file(at path: [String]) throws -> WebAnswer? {
    switch path {
    case ["live.js"]: try .file("live.js", in: .module)
    case ["base.css"]: try .file("base.css", in: .module)
    case ["icon.svg"]: try .file("icon.svg", in: .module)
    default: nil
    }
  }
}

extension WebAnswer {
  /// Returns a style sheet, script or image from the resources of a target.
  ///
  /// - Parameters:
  ///   - name: The file's name, which ends with `.css`, `.js` or `.svg`.
  ///   - bundle: The resource bundle of the target.
  /// - Throws: `CocoaError` if the file does not exist.
  public static func file(_ name: String, in bundle: Bundle) throws -> WebAnswer {
    guard let file = bundle.url(forResource: name, withExtension: nil) else {
      throw CocoaError(.fileNoSuchFile)
    }
    let type =
      switch file.pathExtension {
      case "js": "text/javascript; charset=utf-8"
      case "svg": "image/svg+xml"
      default: "text/css; charset=utf-8"
      }
    return .file(try Data(contentsOf: file), contentType: type)
  }
}
