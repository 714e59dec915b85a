import Foundation
import OpenCoreData
import OpenStoreContract

/// Returns whether the cause of an error is that the server cannot be reached.
func isUnreachable(_ error: any Error) -> Bool { storeCode(of: error) == .unreachable }

/// Returns whether a save lost its connection while it committed, and the server did not come back
/// in time to show the outcome.
func isOutcomeUnknown(_ error: any Error) -> Bool { storeCode(of: error) == .outcomeUnknown }

private func storeCode(of error: any Error) -> StoreError.Code? {
  ((error as NSError).userInfo[OpenStoreErrorKey] as? StoreError)?.code
}

/// Does work, and does it again while the server cannot be reached.
func reaching<Result>(_ work: () throws -> Result) throws -> Result {
  while true {
    do {
      return try work()
    } catch let error where isUnreachable(error) {
      waitForServer()
    }
  }
}

/// Waits for a moment, so that a server that restarts is not slowed down by attempts to connect.
func waitForServer() { Thread.sleep(forTimeInterval: 0.01) }

/// Saves an entry for each number that the standard input contains, up to the line `end`.
///
/// - Returns: The number of entries.
func saveEntries(in context: NSManagedObjectContext) throws -> Int {
  var count = 0
  while let line = readLine(), line != "end" {
    NSEntityDescription.insertNewObject(forEntityName: "Entry", into: context)
      .setValue(Int64(line), forKey: "amount")
    try context.save()
    count += 1
  }
  return count
}
