extension GrammarGolden {
  /// The expected results in stores of the formats of `GrammarTables.literals`.
  static let literals = #"""
    a == 0
      t0.ZA = ?
      5
    a == 007
      t0.ZA = ?
      none
    a == 1234567890123
      t0.ZA = ?
      none
    a == 9223372036854775807
      t0.ZA = ?
      none
    a == 9223372036854775808
      t0.ZA = ?
      none
    a == -9223372036854775808
      t0.ZA = ?
      none
    a == -9223372036854775809
      t0.ZA = ?
      none
    a == 18446744073709551615
      t0.ZA = ?
      none
    a == 123456789012345678901234567890
      t0.ZA = ?
      none
    a == 1.5
      t0.ZA = ?
      none
    a == 0.5
      t0.ZA = ?
      none
    a == 1e0
      t0.ZA = ?
      1 7 12
    a == 10e-1
      t0.ZA = ?
      1 7 12
    a == 1E0
      t0.ZA = ?
      1 7 12
    a == 1e+0
      t0.ZA = ?
      1 7 12
    a == 1.25e2
      t0.ZA = ?
      none
    a == 1.5E-3
      t0.ZA = ?
      none
    a == 1e400
      t0.ZA = ?
      none
    a == 5e-324
      t0.ZA = ?
      none
    a == 0x1
      t0.ZA = ?
      1 7 12
    a == 0X1
      t0.ZA = ?
      1 7 12
    b == 0x02
      t0.ZB = ?
      1 2 11
    a == 0xFF
      t0.ZA = ?
      none
    a == 0xdeadBEEF
      t0.ZA = ?
      none
    a == 0x7FFFFFFFFFFFFFFF
      t0.ZA = ?
      none
    a == 0xFFFFFFFFFFFFFFFF
      t0.ZA = ?
      none
    a == 0o1
      t0.ZA = ?
      1 7 12
    a == 0O17
      t0.ZA = ?
      none
    a == 0b1
      t0.ZA = ?
      1 7 12
    a == 0B101
      t0.ZA = ?
      8
    a == -1
      t0.ZA = ?
      6
    a == -1.5
      t0.ZA = ?
      none
    a == -0x10
      t0.ZA = ?
      none
    a == -0
      t0.ZA = ?
      5
    a == -0.0
      t0.ZA = ?
      5
    1.5.unknown == nil
      ? IS NULL
      all
    a == ""
      error 134060: The predicate compares a property with a value of another type (string). Entity: Sample. Property: a.
    a == ''
      error 134060: The predicate compares a property with a value of another type (string). Entity: Sample. Property: a.
    s == "it's"
      t0.ZS = ?
      7
    s == 'say "hi"'
      t0.ZS = ?
      none
    s == 'it\'s'
      t0.ZS = ?
      7
    s == "say \"hi\""
      t0.ZS = ?
      none
    s == "back\\slash"
      t0.ZS = ?
      none
    s == "line\nbreak"
      t0.ZS = ?
      none
    s == "tab\there"
      t0.ZS = ?
      none
    s == "return\rhere"
      t0.ZS = ?
      none
    s == "nul\0here"
      t0.ZS = ?
      none
    s == "\x41\x42"
      t0.ZS = ?
      none
    s == "R\u00e9sum\u00e9"
      t0.ZS = ?
      1
    s == "\u4E2d"
      t0.ZS = ?
      none
    """#
}
