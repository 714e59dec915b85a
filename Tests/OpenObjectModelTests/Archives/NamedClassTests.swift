import Foundation
import OpenObjectModel
import Testing

/// A class as the build plug-in rewrites `@objc(LBShade) final class Shade`.
private final class Shade: NSObject, NSSecureCoding {
  private final class __ManagedClassName_LBShade {}

  static var supportsSecureCoding: Bool { true }
  let level: Int

  init(level: Int) { self.level = level }

  init?(coder: NSCoder) { level = coder.decodeInteger(forKey: "level") }

  func encode(with coder: NSCoder) { coder.encode(level, forKey: "level") }
}

/// Without another name.
final class Tint: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }

  override init() {}

  init?(coder: NSCoder) {}

  func encode(with coder: NSCoder) {}
}

@Suite("Classes with another name in archives")
struct NamedClassTests {
  @Test("an archive contains the name for Objective-C, by which the class is found")
  func objectiveCName() throws {
    let data = try ValueArchive.data(of: Shade(level: 3), allowing: [Shade.self])
    #expect(data.range(of: Data("LBShade".utf8)) != nil)
    #expect(data.range(of: Data("OpenObjectModelTests".utf8)) == nil)
    let read = try ValueArchive.value(in: data, allowing: [Shade.self]) as? Shade
    #expect(read?.level == 3)
    #expect(TypeRecords.classes(named: "LBShade").contains { $0 == Shade.self })
  }

  @Test("other classes keep their Swift names")
  func swiftName() throws {
    let data = try ValueArchive.data(of: Tint(), allowing: [Tint.self])
    #expect(data.range(of: Data("OpenObjectModelTests.Tint".utf8)) != nil)
  }
}
