import Foundation

/// The style sheet and the script that all sites share.
enum PageFiles {
  /// A file that belongs to pages; nil for any other path.
  ///
  /// - Throws: What reading the file throws.
  static func file(at path: [String]) throws -> (data: Data, contentType: String)? {
    switch path {
    case ["live.js"]: (try contents("live", "js"), "text/javascript; charset=utf-8")
    case ["base.css"]: (try contents("base", "css"), "text/css; charset=utf-8")
    default: nil
    }
  }

  private static func contents(_ name: String, _ type: String) throws -> Data {
    guard let file = Bundle.module.url(forResource: name, withExtension: type) else {
      throw CocoaError(.fileNoSuchFile)
    }
    return try Data(contentsOf: file)
  }
}
