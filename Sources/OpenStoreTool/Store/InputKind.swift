import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The kind of file at a path that was passed to a command. The kind is determined before the file
/// is opened.
enum InputKind {
  /// A file, a folder, or a path without a file.
  case usual
  /// A pipe, socket or device. Opening such a file may block until another program opens the file.
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

  /// Throws an error if a path cannot be a store or a model.
  ///
  /// - Parameter wanted: The expected kind of file, with an article, such as "a store".
  /// - Throws: `ToolError` that states the kind of file at the path.
  static func require(_ path: String, toBe wanted: String) throws {
    switch InputKind(path) {
    case .usual: return
    case .special:
      throw ToolError(
        .unreadable,
        "\(path): This is a pipe, socket or device, not \(wanted). Write its content to a file, and use the file."
      )
    case .mappingModel:
      throw ToolError(
        .unreadable,
        "\(path): This is a mapping model, which describes a migration between two models, not "
          + "\(wanted). Use one of the two models, or a store.")
    }
  }
}
