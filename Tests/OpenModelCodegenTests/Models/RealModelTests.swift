import Foundation
import OpenModelCodegen
import OpenSourceRewriter
import Testing

/// Models of real applications from outside the package; without them, the tests are skipped.
enum RealModels {
  static let folder = URL(
    fileURLWithPath: ProcessInfo.processInfo.environment["OPENCOREDATA_SHARED"] ?? "../shared"
  ).appendingPathComponent("data")

  static let areMissing = !FileManager.default.fileExists(atPath: folder.path)
}

@Suite(
  "Classes of the models of real applications",
  .disabled(if: RealModels.areMissing, "the folder named by OPENCOREDATA_SHARED is absent"))
struct RealModelTests {
  @Test(
    "are written for every entity, and parse",
    arguments: [
      ("models/Awful.xcdatamodeld", "Forum"),
      ("stores/coredataplus/SampleModel.xcdatamodeld", "Car"),
      ("stores/cartkit/CartStorage.xcdatamodeld", "CDCart"),
    ])
  func realModels(_ path: String, _ className: String) throws {
    let model = RealModels.folder.appendingPathComponent(path)
    let source = try ModelCodegen.source(ofModelAt: model, scope: .all)
    let parsed = try SourceRewriter.rewrite([SourceText(path: "Model.swift", text: source)])
    #expect(parsed.first?.hasSuffix(source) == true)
    #expect(source.contains("public class \(className): NSManagedObject {}"))
  }
}
