extension GrammarGolden {
  /// The expected results in stores of the formats of `GrammarTables.strings`.
  static let strings = #"""
    s CONTAINS "sum"
      ocd_contains(t0.ZS, ?, 0)
      1 2 6
    s CONTAINS 'sum'
      ocd_contains(t0.ZS, ?, 0)
      1 2 6
    s contains "sum"
      ocd_contains(t0.ZS, ?, 0)
      1 2 6
    s Contains "SUM"
      ocd_contains(t0.ZS, ?, 0)
      3
    s CONTAINS[c] "SUM"
      ocd_contains(t0.ZS, ?, 1)
      1 2 3 6
    s CONTAINS [c] "SUM"
      ocd_contains(t0.ZS, ?, 1)
      1 2 3 6
    s CONTAINS[C] "SUM"
      ocd_contains(t0.ZS, ?, 1)
      1 2 3 6
    s CONTAINS[d] "resu"
      ocd_contains(t0.ZS, ?, 2)
      2
    s CONTAINS[d] "Resu"
      ocd_contains(t0.ZS, ?, 2)
      1 6
    s CONTAINS[cd] "RESU"
      ocd_contains(t0.ZS, ?, 3)
      1 2 3 6
    s CONTAINS[dc] "RESU"
      ocd_contains(t0.ZS, ?, 3)
      1 2 3 6
    s CONTAINS[c d] "RESU"
      ocd_contains(t0.ZS, ?, 3)
      1 2 3 6
    s CONTAINS[CD] "RESU"
      ocd_contains(t0.ZS, ?, 3)
      1 2 3 6
    s CONTAINS[n] "Rés"
      ocd_contains(t0.ZS, ?, 4)
      1
    s CONTAINS[n] "rés"
      ocd_contains(t0.ZS, ?, 4)
      none
    s CONTAINS[l] "sum"
      ocd_contains(t0.ZS, ?, 8)
      1 2 6
    s CONTAINS[cl] "SUM"
      ocd_contains(t0.ZS, ?, 9)
      1 2 3 6
    s CONTAINS[cdl] "RESU"
      ocd_contains(t0.ZS, ?, 11)
      1 2 3 6
    s CONTAINS[ldc] "RESU"
      ocd_contains(t0.ZS, ?, 11)
      1 2 3 6
    s CONTAINS[cdn] "RESU"
      ocd_contains(t0.ZS, ?, 7)
      none
    s CONTAINS[cdnl] "RESU"
      ocd_contains(t0.ZS, ?, 15)
      none
    s CONTAINS[lndc] "Rés"
      ocd_contains(t0.ZS, ?, 15)
      1
    s CONTAINS[] "sum"
      ocd_contains(t0.ZS, ?, 0)
      1 2 6
    s CONTAINS[cc] "SUM"
      ocd_contains(t0.ZS, ?, 1)
      1 2 3 6
    s CONTAINS ""
      ocd_contains(t0.ZS, ?, 0)
      none
    s CONTAINS nil
      ocd_contains(t0.ZS, ?, 0)
      none
    missing CONTAINS "x"
      ocd_contains(t0.ZMISSING, ?, 0)
      2 11
    s BEGINSWITH "R"
      t0.ZS >= ? AND t0.ZS < ?
      1 3 6
    s beginswith "R"
      t0.ZS >= ? AND t0.ZS < ?
      1 3 6
    s BeginsWith "r"
      t0.ZS >= ? AND t0.ZS < ?
      2
    s BEGINSWITH[c] "r"
      ocd_prefix(t0.ZS, ?, 1)
      1 2 3 6
    s BEGINSWITH[d] "Re"
      ocd_prefix(t0.ZS, ?, 2)
      1 6
    s BEGINSWITH[cd] "re"
      ocd_prefix(t0.ZS, ?, 3)
      1 2 3 6
    s BEGINSWITH[n] "Ré"
      t0.ZS >= ? AND t0.ZS < ?
      1
    s BEGINSWITH[l] "Ré"
      t0.ZS >= ? AND t0.ZS < ?
      1
    s BEGINSWITH[dn] "Re"
      ocd_prefix(t0.ZS, ?, 6)
      6
    s BEGINSWITH ""
      t0.ZS >= ? AND t0.ZS < ?
      1 2 3 5 6 7 8 9 10 11 12
    s BEGINSWITH "Résumé!"
      t0.ZS >= ? AND t0.ZS < ?
      none
    missing BEGINSWITH "x"
      t0.ZMISSING >= ? AND t0.ZMISSING < ?
      2
    s ENDSWITH "é"
      ocd_suffix(t0.ZS, ?, 0)
      1
    s endswith "e"
      ocd_suffix(t0.ZS, ?, 0)
      2
    s ENDSWITH[c] "É"
      ocd_suffix(t0.ZS, ?, 1)
      1 3 6
    s ENDSWITH[d] "e"
      ocd_suffix(t0.ZS, ?, 2)
      1 2 6
    s ENDSWITH[cd] "E"
      ocd_suffix(t0.ZS, ?, 3)
      1 2 3 6
    s ENDSWITH[n] "mé"
      ocd_suffix(t0.ZS, ?, 4)
      1
    s ENDSWITH[l] "mé"
      ocd_suffix(t0.ZS, ?, 8)
      1
    s ENDSWITH ""
      ocd_suffix(t0.ZS, ?, 0)
      1 2 3 5 6 7 8 9 10 11 12
    s LIKE "R*"
      ocd_like(t0.ZS, ?, 0)
      1 3 6
    s like "R*é"
      ocd_like(t0.ZS, ?, 0)
      1
    s LIKE "R?sum?"
      ocd_like(t0.ZS, ?, 0)
      1
    s LIKE "r*"
      ocd_like(t0.ZS, ?, 0)
      2
    s LIKE[c] "r*"
      ocd_like(t0.ZS, ?, 1)
      1 2 3 6
    """#
}
