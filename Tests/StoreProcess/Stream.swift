import Foundation
import OpenCoreData

/// Saves without end: each save raises a counter and adds three entries with its new value, and is acknowledged
/// by the value.
struct Stream {
  let context: NSManagedObjectContext
  let number: Int

  func run() throws -> Never {
    while true {
      let value = try context.performAndWait {
        defer { context.reset() }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Counter")
        request.predicate = NSPredicate(format: "number == %d", number)
        let counter =
          try context.fetch(request).first
          ?? NSEntityDescription.insertNewObject(forEntityName: "Counter", into: context)
        let value = (counter.value(forKey: "value") as? Int ?? 0) + 1
        counter.setValue(number, forKey: "number")
        counter.setValue(value, forKey: "value")
        for amount in 0..<3 {
          let entry = NSEntityDescription.insertNewObject(forEntityName: "Entry", into: context)
          entry.setValue(value, forKey: "batch")
          entry.setValue(amount, forKey: "amount")
          entry.setValue(String(repeating: "\(amount)", count: 1500), forKey: "note")
          entry.setValue(counter, forKey: "counter")
        }
        try context.save()
        return value
      }
      Answer.write("\(value)")
    }
  }
}
