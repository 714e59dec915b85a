extension GrammarGolden {
  /// The expected results in stores of the formats of `GrammarTables.compounds`.
  static let compounds = #"""
    a == 1 AND b == 2
      t0.ZA = ? AND t0.ZB = ?
      1
    a == 1 and b == 2
      t0.ZA = ? AND t0.ZB = ?
      1
    a == 1 && b == 2
      t0.ZA = ? AND t0.ZB = ?
      1
    a == 1 OR b == 3
      t0.ZA = ? OR t0.ZB = ?
      1 5 7 12
    a == 1 or b == 3
      t0.ZA = ? OR t0.ZB = ?
      1 5 7 12
    a == 1 || b == 3
      t0.ZA = ? OR t0.ZB = ?
      1 5 7 12
    a == 2 Or b == 3
      t0.ZA = ? OR t0.ZB = ?
      2 5 11 12
    NOT a == 1
      NOT (t0.ZA = ?)
      2 3 5 6 8 10 11; evaluated 2 3 4 5 6 8 9 10 11 (null: a)
    not a == 1
      NOT (t0.ZA = ?)
      2 3 5 6 8 10 11; evaluated 2 3 4 5 6 8 9 10 11 (null: a)
    ! a == 1
      NOT (t0.ZA = ?)
      2 3 5 6 8 10 11; evaluated 2 3 4 5 6 8 9 10 11 (null: a)
    !a == 1
      NOT (t0.ZA = ?)
      2 3 5 6 8 10 11; evaluated 2 3 4 5 6 8 9 10 11 (null: a)
    NOT NOT a == 1
      t0.ZA = ?
      1 7 12
    !!a == 1
      t0.ZA = ?
      1 7 12
    NOT (a == 1)
      NOT (t0.ZA = ?)
      2 3 5 6 8 10 11; evaluated 2 3 4 5 6 8 9 10 11 (null: a)
    NOT(a == 1)
      NOT (t0.ZA = ?)
      2 3 5 6 8 10 11; evaluated 2 3 4 5 6 8 9 10 11 (null: a)
    !(a == 2)
      NOT (t0.ZA = ?)
      1 3 5 6 7 8 10 12; evaluated 1 3 4 5 6 7 8 9 10 12 (null: a)
    NOT (a == 1 AND b == 2)
      NOT (t0.ZA = ? AND t0.ZB = ?)
      2 3 5 6 8 9 10 11 12; evaluated 2 3 4 5 6 7 8 9 10 11 12 (null: a, b)
    NOT (a == 1 OR b == 2)
      NOT (t0.ZA = ? OR t0.ZB = ?)
      3 5 6 8 10; evaluated 3 4 5 6 8 9 10 (null: a, b)
    !(a == 1 || b == 2) && c == 3
      NOT (t0.ZA = ? OR t0.ZB = ?) AND t0.ZC = ?
      6
    NOT a == 1 AND b == 2
      NOT (t0.ZA = ?) AND t0.ZB = ?
      2 11
    NOT a == 2 OR b == 3
      NOT (t0.ZA = ?) OR t0.ZB = ?
      1 3 5 6 7 8 10 12; evaluated 1 3 4 5 6 7 8 9 10 12 (null: a, b)
    a == 1 AND NOT b == 2
      t0.ZA = ? AND NOT (t0.ZB = ?)
      12; evaluated 7 12 (null: b)
    a == 1 AND b == 2 AND c == 3
      t0.ZA = ? AND t0.ZB = ? AND t0.ZC = ?
      1
    a == 1 && b == 2 AND c == 3
      t0.ZA = ? AND t0.ZB = ? AND t0.ZC = ?
      1
    a == 2 OR b == 3 OR c == 3
      t0.ZA = ? OR t0.ZB = ? OR t0.ZC = ?
      1 2 5 6 11 12
    a == 1 OR b == 2 AND c == 4
      t0.ZA = ? OR (t0.ZB = ? AND t0.ZC = ?)
      1 7 12
    a == 2 AND b == 2 OR c == 3
      (t0.ZA = ? AND t0.ZB = ?) OR t0.ZC = ?
      1 2 6 11
    a == 1 AND b == 2 OR c == 3 AND f == 1
      (t0.ZA = ? AND t0.ZB = ?) OR (t0.ZC = ? AND t0.ZF = ?)
      1
    (a == 1 OR b == 2) AND c == 4
      (t0.ZA = ? OR t0.ZB = ?) AND t0.ZC = ?
      12
    a == 1 AND (b == 2 OR c == 4)
      t0.ZA = ? AND (t0.ZB = ? OR t0.ZC = ?)
      1 12
    a == 1 AND (b == 2 AND c == 3)
      t0.ZA = ? AND (t0.ZB = ? AND t0.ZC = ?)
      1
    (a == 1 AND b == 2) AND c == 3
      (t0.ZA = ? AND t0.ZB = ?) AND t0.ZC = ?
      1
    (a == 2 OR b == 3) OR c == 3
      (t0.ZA = ? OR t0.ZB = ?) OR t0.ZC = ?
      1 2 5 6 11 12
    a == 2 OR (b == 3 OR c == 3)
      t0.ZA = ? OR (t0.ZB = ? OR t0.ZC = ?)
      1 2 5 6 11 12
    ((a == 1))
      t0.ZA = ?
      1 7 12
    (((a == 1) AND ((b == 2))))
      t0.ZA = ? AND t0.ZB = ?
      1
    (a == 1)
      t0.ZA = ?
      1 7 12
    (a) == (1)
      t0.ZA = ?
      1 7 12
    ((a) == 1)
      t0.ZA = ?
      1 7 12
    (NOT a == 2)
      NOT (t0.ZA = ?)
      1 3 5 6 7 8 10 12; evaluated 1 3 4 5 6 7 8 9 10 12 (null: a)
    NOT ((a == 1) AND (NOT (b == 3)))
      NOT (t0.ZA = ? AND NOT (t0.ZB = ?))
      2 3 5 6 8 10 11 12; evaluated 2 3 4 5 6 8 9 10 11 12 (null: a, b)
    (a == 1 AND b == 30) AND (c == 20 OR f == 40)
      (t0.ZA = ? AND t0.ZB = ?) AND (t0.ZC = ? OR t0.ZF = ?)
      none
    (a == 1 AND b == 2) OR (c == 3 AND f == 1)
      (t0.ZA = ? AND t0.ZB = ?) OR (t0.ZC = ? AND t0.ZF = ?)
      1
    (a == 1 OR b == 3) AND (c == 3 OR f == 1)
      (t0.ZA = ? OR t0.ZB = ?) AND (t0.ZC = ? OR t0.ZF = ?)
      1 12
    NOT (NOT (a == 1 AND b == 2) OR c == 4)
      NOT (NOT (t0.ZA = ? AND t0.ZB = ?) OR t0.ZC = ?)
      1
    TRUEPREDICATE
      no condition
      all
    truepredicate
      no condition
      all
    TruePredicate
      no condition
      all
    FALSEPREDICATE
      0
      none
    falsepredicate
      0
      none
    NOT TRUEPREDICATE
      NOT (1)
      none
    !FALSEPREDICATE
      NOT (0)
      all
    TRUEPREDICATE AND FALSEPREDICATE
      1 AND 0
      none
    TRUEPREDICATE OR FALSEPREDICATE
      1 OR 0
      all
    (TRUEPREDICATE)
      no condition
      all
    a == 1 AND TRUEPREDICATE
      t0.ZA = ? AND 1
      1 7 12
    FALSEPREDICATE OR a == 1 AND TRUEPREDICATE
      0 OR (t0.ZA = ? AND 1)
      1 7 12
    TRUEPREDICATE&&a==1||!b==2
      (1 AND t0.ZA = ?) OR NOT (t0.ZB = ?)
      1 3 5 6 7 8 9 10 12; evaluated 1 3 4 5 6 7 8 9 10 12 (null: a, b)
    X == 10 AND Y == 30 AND Z == 20 OR K == 40
      (t0.ZX = ? AND t0.ZY = ? AND t0.ZZ = ?) OR t0.ZK = ?
      1 2 3 4 5 8 9 11 12
    ANY list > 2 AND ALL list > 0
      memory: the transformable attribute list + memory: the transformable attribute list
      1 2 6 7 11 12
    NOT ANY list > 5
      memory: the transformable attribute list
      1 2 3 4 5 7 8 9 10 12
    NOT ALL list > 1
      memory: the transformable attribute list
      1 6 9 10 12
    NONE list > 5 OR a == 2
      memory: the transformable attribute list
      1 2 3 4 5 7 8 9 10 11 12
    NOT NONE list > 5
      memory: the transformable attribute list
      6 11
    """#
}
