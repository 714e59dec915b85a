extension GrammarGolden {
  /// The expected results in stores of the formats of `GrammarTables.comparisons`.
  static let comparisons = #"""
    a = 1
      t0.ZA = ?
      1 7 12
    a == 1
      t0.ZA = ?
      1 7 12
    a==1
      t0.ZA = ?
      1 7 12
    a != 1
      t0.ZA <> ?
      2 3 5 6 8 10 11; evaluated 2 3 4 5 6 8 9 10 11 (null: a)
    a <> 1
      t0.ZA <> ?
      2 3 5 6 8 10 11; evaluated 2 3 4 5 6 8 9 10 11 (null: a)
    a < 1
      t0.ZA < ?
      5 6
    a > 1
      t0.ZA > ?
      2 3 8 10 11
    a <= 1
      t0.ZA <= ?
      1 5 6 7 12
    a =< 1
      t0.ZA <= ?
      1 5 6 7 12
    a >= 1
      t0.ZA >= ?
      1 2 3 7 8 10 11 12
    a => 1
      t0.ZA >= ?
      1 2 3 7 8 10 11 12
    1 = a
      ? = t0.ZA
      1 7 12
    1 < b
      ? < t0.ZB
      1 2 5 8 9 11 12
    3 >= c
      ? >= t0.ZC
      1 2 5 6 7 9 11
    a = b
      t0.ZA = t0.ZB
      2 11; evaluated 2 4 11 (null: a, b)
    a < b
      t0.ZA < t0.ZB
      1 5 6 12
    o.a > b
      t1.ZA > t0.ZB
      1 2 6 8
    a == 1.0
      t0.ZA = ?
      1 7 12
    f == 2.5
      t0.ZF = ?
      1 11
    f > 2
      t0.ZF > ?
      1 3 5 8 10 11
    a = YES
      t0.ZA = ?
      1 7 12
    yes == YES
      ? = ?
      all
    yes == TRUE
      ? = ?
      all
    yes == true
      ? = ?
      all
    yes = 1
      ? = ?
      all
    no == NO
      ? = ?
      all
    no == FALSE
      ? = ?
      all
    no == 0
      ? = ?
      all
    no == false
      ? = ?
      all
    yes != no
      ? = ?
      all
    null == nil
      ? IS NULL
      all
    null == NIL
      ? IS NULL
      all
    null == NULL
      ? IS NULL
      all
    null = null
      ? IS NULL
      all
    missing == nil
      t0.ZMISSING IS NULL
      1 3 5 7 8 10 12
    missing != nil
      NOT (t0.ZMISSING IS NULL)
      2 4 6 9 11
    a != nil
      NOT (t0.ZA IS NULL)
      1 2 3 5 6 7 8 10 11 12
    nil == nil
      ? IS NULL
      all
    nil != 1
      NOT (? IS NULL)
      all
    missing != "v"
      t0.ZMISSING <> ?
      2 6 9 11; evaluated 1 2 3 5 6 7 8 9 10 11 12 (null: missing)
    missing < 1
      t0.ZMISSING < ?
      9
    missing > 1
      t0.ZMISSING > ?
      2 4 11
    missing <= nil
      t0.ZMISSING <= ?
      none
    NOT missing < 1
      NOT (t0.ZMISSING < ?)
      2 4 6 11; evaluated 1 2 3 4 5 6 7 8 10 11 12 (null: missing)
    NOT missing == 1
      NOT (t0.ZMISSING = ?)
      2 4 9 11; evaluated 1 2 3 4 5 7 8 9 10 11 12 (null: missing)
    s == "Résumé"
      t0.ZS = ?
      1
    s == 'Résumé'
      t0.ZS = ?
      1
    s == "resume"
      t0.ZS = ?
      2
    s != "resume"
      t0.ZS <> ?
      1 3 5 6 7 8 9 10 11 12; evaluated 1 3 4 5 6 7 8 9 10 11 12 (null: s)
    "Résumé" == s
      ? = t0.ZS
      1
    s > "R"
      t0.ZS > ?
      1 2 3 6 7 9 10 11 12
    s < "S"
      t0.ZS < ?
      1 3 5 6 8
    t >= "text"
      t0.ZT >= ?
      1 3 8 9 10
    t <= "text"
      t0.ZT <= ?
      1 2 5 6 7 11 12
    SELF != nil
      NOT (t0.Z_PK IS NULL)
      all
    SELF == SELF
      t0.Z_PK = t0.Z_PK
      all
    """#
}
