extension GrammarTables {
  /// Formats of numbers, strings, constants, aggregates and casts.
  package static let literals = #"""
    a == 0
      (= a 0)
      ? false
    a == 007
      (= a 7)
      > a == 7
      ? false
    a == 1234567890123
      (= a 1234567890123)
      ? false
    a == 9223372036854775807
      (= a 9223372036854775807)
    a == 9223372036854775808
      (= a 9.223372036854776e+18)
      > a == 9.223372036854776e+18
    a == -9223372036854775808
      (= a -9223372036854775808)
    a == -9223372036854775809
      (= a -9.223372036854776e+18)
      > a == -9.223372036854776e+18
    a == 18446744073709551615
      (= a 1.8446744073709552e+19)
      > a == 1.8446744073709552e+19
    a == 123456789012345678901234567890
      (= a 1.2345678901234568e+29)
      > a == 1.2345678901234568e+29
    a == 1.5
      (= a 1.5)
      ? false
    a == 0.5
      (= a 0.5)
      ? false
    a == 1e0
      (= a 1.0)
      > a == 1.0
      ? true
    a == 10e-1
      (= a 1.0)
      > a == 1.0
      ? true
    a == 1E0
      (= a 1.0)
      > a == 1.0
      ? true
    a == 1e+0
      (= a 1.0)
      > a == 1.0
      ? true
    a == 1.25e2
      (= a 125.0)
      > a == 125.0
      ? false
    a == 1.5E-3
      (= a 0.0015)
      > a == 0.0015
      ? false
    a == 1e400
      (= a inf)
      > a == CAST("inf", "NSNumber")
    a == 5e-324
      (= a 5e-324)
    a == 0x1
      (= a 1)
      > a == 1
      ? true
    a == 0X1
      (= a 1)
      > a == 1
      ? true
    b == 0x02
      (= b 2)
      > b == 2
      ? true
    a == 0xFF
      (= a 255)
      > a == 255
    a == 0xdeadBEEF
      (= a 3735928559)
      > a == 3735928559
    a == 0x7FFFFFFFFFFFFFFF
      (= a 9223372036854775807)
      > a == 9223372036854775807
    a == 0xFFFFFFFFFFFFFFFF
      (= a 1.8446744073709552e+19)
      > a == 1.8446744073709552e+19
    a == 0o1
      (= a 1)
      > a == 1
      ? true
    a == 0O17
      (= a 15)
      > a == 15
      ? false
    a == 0b1
      (= a 1)
      > a == 1
      ? true
    a == 0B101
      (= a 5)
      > a == 5
      ? false
    a == -1
      (= a -1)
      ? false
    a == -1.5
      (= a -1.5)
      ? false
    a == -0x10
      (= a -16)
      > a == -16
      ? false
    a == -0
      (= a 0)
      > a == 0
      ? false
    a == -0.0
      (= a -0.0)
      ? false
    1.5.unknown == nil
      (= (. 1.5 unknown) nil)
      ? true
    a == ""
      (= a '')
      ? false
    a == ''
      (= a '')
      > a == ""
      ? false
    s == "it's"
      (= s 'it's')
      ? false
    s == 'say "hi"'
      (= s 'say "hi"')
      > s == "say \"hi\""
      ? false
    s == 'it\'s'
      (= s 'it's')
      > s == "it's"
      ? false
    s == "say \"hi\""
      (= s 'say "hi"')
      ? false
    s == "back\\slash"
      (= s 'back\slash')
      ? false
    s == "line\nbreak"
      (= s 'line<a>break')
      ? false
    s == "tab\there"
      (= s 'tab<9>here')
      ? false
    s == "return\rhere"
      (= s 'return<d>here')
      ? false
    s == "nul\0here"
      (= s 'nul<0>here')
      ? false
    s == "\x41\x42"
      (= s 'AB')
      > s == "AB"
      ? false
    s == "R\u00e9sum\u00e9"
      (= s 'Résumé')
      > s == "Résumé"
      ? true
    s == "\u4E2d"
      (= s '中')
      > s == "中"
      ? false
    """#
}
