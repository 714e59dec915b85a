package import Foundation

/// References to the Foundation bridges that programs linked with `--static-swift-stdlib` would
/// otherwise omit.
///
/// The linker includes only those object files of Foundation that the program refers to. The
/// conformances that bridge values are in object files that nothing else refers to. Without this
/// type, arrays, sets, decimal numbers and other values would remain Swift values in such a
/// program. Property lists with arrays could then not be written, and lists that were read could
/// not be cast.
///
/// No code calls the method of this type.
package enum StaticBridges {
  /// Returns the bridged values of the arguments, one for each type whose bridge is in an object
  /// file to which no other code refers.
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
