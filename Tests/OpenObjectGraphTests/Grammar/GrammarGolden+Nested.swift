extension GrammarGolden {
  /// The expected results in stores of the formats of `GrammarTables.nested`.
  static let nested = #"""
    t BETWEEN[cd] {"TEXT", "TÉXT"}
      ocd_compare(t0.ZT, ?, 3) >= 0 AND ocd_compare(t0.ZT, ?, 3) <= 0
      1 2 3 7
    t BETWEEN[n] {"a", "z"}
      t0.ZT BETWEEN ? AND ?
      1 3 6 8 9 10 11 12
    NOT t BETWEEN[c] {"A", "U"}
      NOT (ocd_compare(t0.ZT, ?, 1) >= 0 AND ocd_compare(t0.ZT, ?, 1) <= 0)
      5 8; evaluated 4 5 8 (null: t)
    a BETWEEN[c] {1, 2}
      t0.ZA BETWEEN ? AND ?
      1 2 7 11 12
    "B" BETWEEN[c] {"a", "c"}
      ? = ? AND ? = ?
      all
    ANY pages.t BETWEEN[c] {"Y", "Z"}
      EXISTS (SELECT 1 FROM ZPAGE AS t1 WHERE t1.ZSAMPLE = t0.Z_PK AND (ocd_compare(t1.ZT, ?, 1) >= 0 AND ocd_compare(t1.ZT, ?, 1) <= 0))
      1 2 5 8 9 10 12
    t BETWEEN[c] %@ <== t:A,U
      ocd_compare(t0.ZT, ?, 1) >= 0 AND ocd_compare(t0.ZT, ?, 1) <= 0
      1 2 3 6 7 9 10 11 12
    %@ BETWEEN[c] {"a", "c"} <== s:B
      ? = ? AND ? = ?
      all
    %@ BETWEEN[c] {1, b} <== 2
      ? = ? AND ? <= t0.ZB
      1 2 5 8 9 11 12
    a >=[c] 1
      t0.ZA >= ?
      1 2 3 7 8 10 11 12
    a IN[cd] {1, 4}
      t0.ZA = ? OR t0.ZA = ?
      1 7 10 12
    a !=[c] 2
      t0.ZA <> ?
      1 3 5 6 7 8 10 12; evaluated 1 3 4 5 6 7 8 9 10 12 (null: a)
    %@ <[c] %@ <== s:b s:C
      ? = ?
      all
    %@ ==[c] %@ <== 2 2
      ? = ?
      all
    %@ >[cd] %@ <== 3 d:2.5
      ? = ?
      all
    t <[l] "Textb"
      ocd_compare(t0.ZT, ?, 8) < 0
      1 2 3 5 6 7 10 11 12
    t BETWEEN[l] {"tESSA", "Textb"}
      ocd_compare(t0.ZT, ?, 8) >= 0 AND ocd_compare(t0.ZT, ?, 8) <= 0
      1 2 3 7 10 11
    t >[nl] "Textb"
      t0.ZT > ?
      1 3 6 8 9 10 11 12
    %@[1] == a <== l:4,1
      ? = t0.ZA
      1 7 12
    %@[FIRST] == a <== l:1,4
      ? = t0.ZA
      1 7 12
    SUBQUERY(%@, $x, $x > 1).@count == b <== l:1,2,3
      ? = t0.ZB
      1 2 11
    SUBQUERY(%@, $x, $x == a).@count == 1 <== l:1,2,3
      memory: a subquery of something other than a relationship
      1 2 3 7 11 12
    %@.@max == c <== l:1,3
      ? = t0.ZC
      1 6 11
    mode:(1, 1, 2) CONTAINS a
      t0.ZA IN (?)
      1 7 12
    ({1, 2} UNION {3}) CONTAINS a
      t0.ZA IN (?, ?, ?, ?)
      1 2 3 7 11 12
    {1, 1} UNION {1} == {1}
      memory: a comparison of collections
      all
    {2, 2} == {2, 3}
      memory: a comparison of collections
      none
    {1, 2} == {2, 1}
      memory: a comparison of collections
      all
    {1, 2} != {a, b}
      memory: a comparison of collections
      2 3 4 5 6 7 8 9 10 11 12
    {a, nil} CONTAINS 1
      ? = t0.ZA
      1 7 12
    a IN {1, nil}
      t0.ZA = ?
      1 7 12; evaluated 1 4 7 9 12 (null: a, nil)
    NOT a IN {2, nil}
      NOT (t0.ZA = ?)
      1 3 5 6 7 8 10 12
    NOT a IN {}
      NOT (t0.ZA <> t0.ZA)
      1 2 3 5 6 7 8 10 11 12; evaluated all (null: a)
    NOT missing BETWEEN {"a", "z"}
      NOT (t0.ZMISSING BETWEEN ? AND ?)
      6 9; evaluated 1 3 5 6 7 8 9 10 12 (null: missing)
    NOT missing CONTAINS "x"
      NOT (ocd_contains(t0.ZMISSING, ?, 0))
      4 6 9; evaluated 1 3 4 5 6 7 8 9 10 12 (null: missing)
    NOT (missing == nil OR a == nil)
      NOT (t0.ZMISSING IS NULL OR t0.ZA IS NULL)
      2 6 11
    a != nil AND NOT a == 2
      NOT (t0.ZA IS NULL) AND NOT (t0.ZA = ?)
      1 3 5 6 7 8 10 12
    TERNARY(missing == nil, a, b) == 1
      CASE WHEN t0.ZMISSING IS NULL THEN t0.ZA ELSE t0.ZB END = ?
      1 6 7 12
    TERNARY(missing == "x", 1, 2) == 2
      CASE WHEN t0.ZMISSING = ? THEN ? ELSE ? END = ?
      1 3 4 5 6 7 8 9 10 11 12
    t MATCHES[c] ""
      ocd_matches(t0.ZT, ?, 1)
      5
    list.@count == 3 AND a == 1
      t0.ZA = ? + memory: the transformable attribute list
      1 12
    sum:(o.list) > 14
      memory: the transformable attribute list
      1 8 9
    $x.a + 1 > 2
      error 134060: The variable $x has no value. Entity: Sample.
    """#
}
