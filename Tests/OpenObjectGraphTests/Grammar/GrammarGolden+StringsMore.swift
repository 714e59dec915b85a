extension GrammarGolden {
  /// The expected results in stores of the formats of `GrammarTables.stringsMore`.
  static let stringsMore = #"""
    s LIKE[d] "Resume"
      ocd_like(t0.ZS, ?, 2)
      1 6
    s LIKE[cd] "RES*"
      ocd_like(t0.ZS, ?, 3)
      1 2 3 6
    s LIKE[cd] "??????"
      ocd_like(t0.ZS, ?, 3)
      1 2 3 6 11
    s LIKE[n] "R*"
      ocd_like(t0.ZS, ?, 4)
      1 3 6
    s LIKE "*"
      ocd_like(t0.ZS, ?, 0)
      1 2 3 5 6 7 8 9 10 11 12
    s LIKE ""
      ocd_like(t0.ZS, ?, 0)
      5
    t LIKE "t\\*t"
      ocd_like(t0.ZT, ?, 0)
      6
    t LIKE "t?xt"
      ocd_like(t0.ZT, ?, 0)
      1 3
    t LIKE "*ex*"
      ocd_like(t0.ZT, ?, 0)
      1 7 10
    t LIKE "*x"
      ocd_like(t0.ZT, ?, 0)
      none
    'a*b' LIKE 'a\\*b'
      ? = ?
      all
    'axb' LIKE 'a\\*b'
      ? = ?
      none
    'a?b' LIKE 'a\\?b'
      ? = ?
      all
    missing LIKE "*"
      ocd_like(t0.ZMISSING, ?, 0)
      2 4 6 9 11
    t MATCHES "t.*t"
      ocd_matches(t0.ZT, ?, 0)
      1 3 6 11
    t matches "[a-z]+"
      ocd_matches(t0.ZT, ?, 0)
      1 8 9 11
    t MATCHES "ex"
      ocd_matches(t0.ZT, ?, 0)
      none
    t MATCHES ".*ex.*"
      ocd_matches(t0.ZT, ?, 0)
      1 7 10
    t MATCHES "T.*"
      ocd_matches(t0.ZT, ?, 0)
      2 7
    t MATCHES[c] "T.*"
      ocd_matches(t0.ZT, ?, 1)
      1 2 3 6 7 9 10 11
    s MATCHES[d] "Resume"
      ocd_matches(t0.ZS, ?, 2)
      1 6
    s MATCHES[cd] "RES.*"
      ocd_matches(t0.ZS, ?, 3)
      1 2 3 6
    s MATCHES "\\p{L}+"
      ocd_matches(t0.ZS, ?, 0)
      1 2 3 9 10
    s MATCHES "R\\u00e9sum."
      ocd_matches(t0.ZS, ?, 0)
      1
    t MATCHES "text|x"
      ocd_matches(t0.ZT, ?, 0)
      1
    t MATCHES "x|text"
      ocd_matches(t0.ZT, ?, 0)
      1
    t MATCHES ""
      ocd_matches(t0.ZT, ?, 0)
      5
    t MATCHES "^text$"
      ocd_matches(t0.ZT, ?, 0)
      1
    t MATCHES "(?i)TEXT"
      ocd_matches(t0.ZT, ?, 0)
      1 2 7
    t MATCHES "(?x) te xt # comment"
      ocd_matches(t0.ZT, ?, 0)
      1
    missing MATCHES ".*"
      ocd_matches(t0.ZMISSING, ?, 0)
      2 4 6 9 11
    t ==[c] "TEXT"
      ocd_equals(t0.ZT, ?, 1)
      1 2 7
    t ==[d] "téxt"
      ocd_equals(t0.ZT, ?, 2)
      1 3
    t ==[cd] "TÉXT"
      ocd_equals(t0.ZT, ?, 3)
      1 2 3 7
    t ==[n] "text"
      t0.ZT = ?
      1
    t !=[c] "TEXT"
      NOT (ocd_equals(t0.ZT, ?, 1))
      3 5 6 8 9 10 11 12; evaluated 3 4 5 6 8 9 10 11 12 (null: t)
    t <[c] "U"
      ocd_compare(t0.ZT, ?, 1) < 0
      1 2 3 5 6 7 9 10 11 12
    t <[c] "A"
      ocd_compare(t0.ZT, ?, 1) < 0
      5
    t >[cd] "S"
      ocd_compare(t0.ZT, ?, 3) > 0
      1 2 3 6 7 8 9 10 11 12
    t <=[c] "TEXT"
      ocd_compare(t0.ZT, ?, 1) <= 0
      1 2 5 6 7 11 12
    t >=[d] "text"
      ocd_compare(t0.ZT, ?, 2) >= 0
      1 3 8 9 10
    t BETWEEN[c] {"A", "Z"}
      ocd_compare(t0.ZT, ?, 1) >= 0 AND ocd_compare(t0.ZT, ?, 1) <= 0
      1 2 3 6 7 8 9 10 11 12
    t IN[c] {"TEXT"}
      ocd_equals(t0.ZT, ?, 1)
      1 2 7
    t IN[cd] {"TÉXT", "x"}
      ocd_equals(t0.ZT, ?, 3) OR ocd_equals(t0.ZT, ?, 3)
      1 2 3 7
    ANY words BEGINSWITH[c] "t"
      memory: the transformable attribute words
      1 5 6 12
    ALL words LIKE "*"
      memory: the transformable attribute words
      all
    NONE words ENDSWITH "x"
      memory: the transformable attribute words
      1 2 3 4 6 7 8 10 11 12
    日本 CONTAINS "京"
      ocd_contains(t0."Z日本", ?, 0)
      1 3 8 10
    größe > 5
      t0."ZGRÖSSE" > ?
      1 3 6 9
    "größe" CONTAINS[cd] "GROSSE"
      ? = ?
      all
    "größe" CONTAINS[cd] "GRO"
      ? = ?
      all
    "ΣΊΣΥΦΟΣ" ==[cd] "σισυφος"
      ? = ?
      all
    """#
}
