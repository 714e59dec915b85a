import Foundation

/// A mapping model of a real application, with its document and its models.
enum RealMappings {
  private static let folder = URL(
    fileURLWithPath: ProcessInfo.processInfo.environment["OPENCOREDATA_SHARED"] ?? "../shared"
  ).appendingPathComponent("data/stores/coredataplus")

  static let areMissing = !FileManager.default.fileExists(atPath: folder.path)
  static let compiled = folder.appendingPathComponent("V2toV3.cdm")
  static let document = folder.appendingPathComponent("V2toV3.xcmappingmodel")

  /// A version of the application's model, by number.
  static func version(_ number: Int) -> URL {
    folder.appendingPathComponent(
      "SampleModel.momd/SampleModel\(number == 1 ? "" : "\(number)").mom")
  }
}
