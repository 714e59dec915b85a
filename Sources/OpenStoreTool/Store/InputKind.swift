import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a path that a command was given names, told before anything is opened.
enum InputKind {
  /// A file, a folder, or nothing at all.
  case usual
  /// A pipe, socket or device, whose opening may wait for another program.
  case special
  /// A mapping model, `.xcmappingmodel` or `.cdm`.
  case mappingModel

  init(_ path: String) {
    var status = stat()
    let kind = stat(path, &status) == 0 ? status.st_mode & S_IFMT : S_IFREG
    if kind != S_IFREG, kind != S_IFDIR {
      self = .special
    } else if ["xcmappingmodel", "cdm"].contains((path as NSString).pathExtension) {
      self = .mappingModel
    } else {
      self = .usual
    }
  }

  /// Requires a path that can be a store or a model.
  ///
  /// - Parameter wanted: What the command wants, with its article.
  /// - Throws: `ToolError` that says what the path names instead.
  static func require(_ path: String, toBe wanted: String) throws {
    switch InputKind(path) {
    case .usual: return
    case .special:
      throw ToolError(
        .unreadable,
        "\(path): The path names a pipe, socket or device, not \(wanted). Write what comes through it to a file."
      )
    case .mappingModel:
      throw ToolError(
        .unreadable,
        "\(path): This is a mapping model, which says how objects of one model become those of another, not "
          + "\(wanted). Name one of the two models, or a store.")
    }
  }
}
