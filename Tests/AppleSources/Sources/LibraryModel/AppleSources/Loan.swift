// swift-format-ignore-file
import Foundation

/// A loan, which is not stored: a plain class, observed and sorted by its properties' names.
@objcMembers
public class Loan: NSObject {
    public dynamic var reader: String
    public let day: Int
    public weak var previous: Loan?

    public var isFirst: Bool { previous == nil }

    public init(reader: String, day: Int, previous: Loan? = nil) {
        self.reader = reader
        self.day = day
        self.previous = previous
    }
}

/// A loan for a time.
public final class TimedLoan: Loan {
    @objc public var days = 14
}

extension Loan {
    /// The loans by reader, then from the last to the first.
    public static var order: [NSSortDescriptor] {
        [NSSortDescriptor(keyPath: \Loan.reader, ascending: true), NSSortDescriptor(keyPath: \Loan.day, ascending: false)]
    }

    /// A description of the table's columns.
    public static var columns: [String] {
        [\Loan.reader, \Loan.day, \Loan.previous?.reader, \TimedLoan.days, \TimedLoan.reader].compactMap { (path: AnyKeyPath) in path._kvcKeyPathString }
    }
}
