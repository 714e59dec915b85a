import CCounting

/// Does work whose instructions are counted; without an instruction counter it is only done.
func counted<Result>(_ work: () throws -> Result) rethrows -> Result {
  counting_start()
  defer { counting_stop() }
  return try work()
}
