package import Foundation

/// Names bridges of Foundation, so that programs linked with `--static-swift-stdlib` have them.
///
/// A linker takes from the archive of Foundation the object files that the program names. Values are bridged by conformances that
/// nothing names: without this type, arrays, sets, decimal numbers and others stay Swift values in such a program, property lists
/// with an array cannot be written, and lists that were read cannot be cast.
///
/// A namespace; nothing calls its function.
package enum StaticBridges {
  /// Bridges one value of each type whose bridge is in an object file that nothing else names.
  package static func bridged(
    _ array: [Any], _ set: Set<AnyHashable>, _ decimal: Decimal, _ components: DateComponents,
    _ path: IndexPath, _ interval: DateInterval, _ url: URLComponents, _ item: URLQueryItem
  ) -> [Any] {
    [
      array._bridgeToObjectiveC(), set._bridgeToObjectiveC(), decimal._bridgeToObjectiveC(),
      components._bridgeToObjectiveC(), path._bridgeToObjectiveC(), interval._bridgeToObjectiveC(),
      url._bridgeToObjectiveC(), item._bridgeToObjectiveC(),
    ]
  }
}
