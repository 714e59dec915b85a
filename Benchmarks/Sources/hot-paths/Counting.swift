import CCounting

/// Runs work and counts its instructions. Without Valgrind, only runs the work.
func counted<Result>(_ work: () throws -> Result) rethrows -> Result {
  counting_start()
  defer { counting_stop() }
  return try work()
}
