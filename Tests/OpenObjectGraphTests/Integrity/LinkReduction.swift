import OpenCoreData

/// Reduces a failing history to a short one.
struct LinkReduction {
  let policy: NSMergePolicy
  let type: String

  /// Removes steps, many at a time and then fewer, as long as the remaining steps fail.
  func shortest(of steps: [LinkStep]) -> [LinkStep] {
    var steps = steps
    var length = steps.count / 2
    while length > 0 {
      var isShorter = false
      var start = 0
      while start < steps.count {
        var others = steps
        others.removeSubrange(start..<min(start + length, steps.count))
        if failure(of: others) == nil {
          start += length
        } else {
          steps = others
          isShorter = true
        }
      }
      if !isShorter || length > 1 { length /= 2 }
    }
    return steps
  }

  /// Returns the failure of steps.
  func failure(of steps: [LinkStep]) -> (any Error)? {
    do { try LinkHistory.run(steps, policy, type: type) } catch { return error }
    return nil
  }
}
