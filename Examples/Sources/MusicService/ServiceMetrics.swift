public import CoreMetrics
import Synchronization

/// Collects the numbers of the service and of the library, and writes them in Prometheus' text format. Shared.
///
/// The library counts fetches, faults and saves with swift-metrics; the service counts its requests in the same way.
public final class ServiceMetrics: MetricsFactory {
  /// A number of events with their sum.
  private struct Total {
    var count = 0
    var sum = 0.0
  }

  private enum Kind: String {
    case counter, gauge, summary
  }

  /// A number by its name and labels, as the text format writes them.
  private struct Key: Hashable, Comparable {
    let name: String
    let labels: String

    static func < (one: Key, other: Key) -> Bool {
      (one.name, one.labels) < (other.name, other.labels)
    }
  }

  private let totals = Mutex<[Key: (kind: Kind, total: Total)]>([:])

  /// Makes a collection without numbers.
  public init() {}

  /// All numbers in Prometheus' text format.
  public var text: String {
    var lines: [String] = []
    var last: String?
    for (key, (kind, total)) in totals.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      if key.name != last { lines.append("# TYPE \(key.name) \(kind.rawValue)") }
      last = key.name
      if kind == .summary {
        lines.append("\(key.name)_count\(key.labels) \(total.count)")
        lines.append("\(key.name)_sum\(key.labels) \(total.sum)")
      } else {
        lines.append(
          "\(key.name)\(key.labels) \(kind == .counter ? "\(total.count)" : "\(total.sum)")")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  // MARK: MetricsFactory

  public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    Number(self, key(label, dimensions), .counter)
  }

  public func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler { Number(self, key(label, dimensions), aggregate ? .summary : .gauge) }

  public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    Number(self, key(label + "_seconds", dimensions), .summary)
  }

  public func destroyCounter(_ handler: any CounterHandler) {}
  public func destroyRecorder(_ handler: any RecorderHandler) {}
  public func destroyTimer(_ handler: any TimerHandler) {}

  private func key(_ label: String, _ dimensions: [(String, String)]) -> Key {
    let name = String(label.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    let labels = dimensions.map { name, value in
      let value = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      return "\(name)=\"\(value.replacing("\n", with: "\\n"))\""
    }
    return Key(
      name: name, labels: labels.isEmpty ? "" : "{" + labels.joined(separator: ",") + "}")
  }

  private func update(_ key: Key, _ kind: Kind, _ change: (inout Total) -> Void) {
    totals.withLock { totals in change(&totals[key, default: (kind, Total())].total) }
  }

  /// One number, which swift-metrics keeps.
  private final class Number: CounterHandler, RecorderHandler, TimerHandler {
    private let metrics: ServiceMetrics
    private let key: Key
    private let kind: Kind

    init(_ metrics: ServiceMetrics, _ key: Key, _ kind: Kind) {
      (self.metrics, self.key, self.kind) = (metrics, key, kind)
    }

    func increment(by amount: Int64) {
      metrics.update(key, kind) { $0.count += Int(amount) }
    }

    func reset() { metrics.update(key, kind) { $0 = Total() } }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
      metrics.update(key, kind) { total in
        total.count += 1
        total.sum = kind == .gauge ? value : total.sum + value
      }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) * 1e-9) }
  }
}
