extension GrammarGolden {
  /// The expected results in stores of the formats of `GrammarTables.arithmetic`.
  static let arithmetic = #"""
    a + b == 3
      (t0.ZA + t0.ZB) = ?
      1 5 10
    a+b==3
      (t0.ZA + t0.ZB) = ?
      1 5 10
    b - a == 1
      (t0.ZB - t0.ZA) = ?
      1
    b * c == 6
      (t0.ZB * t0.ZC) = ?
      1 11
    c / 2 == 1
      (t0.ZC / ?) = ?
      1 6 11
    c / 2.0 == 1.5
      (t0.ZC / ?) = ?
      1 6 11
    b ** 3 == 8
      ocd_value('raise:toPower:', t0.ZB, ?) = ?
      1 2 11
    (b & 3) != 0
      (t0.ZB & ?) <> ?
      1 2 3 5 6 10 11 12; evaluated 1 2 3 4 5 6 7 10 11 12 (null: b)
    a | b ^ 6 & 3 == 1
      (t0.ZA | ocd_value('bitwiseXor:with:', t0.ZB, ?)) = ?
      1 5 12
    (a | b) ^ c == 0
      ocd_value('bitwiseXor:with:', (t0.ZA | t0.ZB), t0.ZC) = ?
      1
    a + b << c == 24
      ((t0.ZA + t0.ZB) << t0.ZC) = ?
      1
    24>>c==c
      (? >> t0.ZC) = t0.ZC
      1 6 11; evaluated 1 4 6 8 11 (null: c)
    ~b == -3
      ocd_value('onesComplement:', t0.ZB) = ?
      1 2 11
    ~(a + b) == -4
      ocd_value('onesComplement:', (t0.ZA + t0.ZB)) = ?
      1 5 10
    a + b * c == 7
      (t0.ZA + (t0.ZB * t0.ZC)) = ?
      1 3
    (a + b) * c == 9
      ((t0.ZA + t0.ZB) * t0.ZC) = ?
      1
    a * b + c == 5
      ((t0.ZA * t0.ZB) + t0.ZC) = ?
      1 2
    a * (b + c) == 5
      (t0.ZA * (t0.ZB + t0.ZC)) = ?
      1
    a - b - c == -4
      ((t0.ZA - t0.ZB) - t0.ZC) = ?
      1
    a - (b - c) == 2
      (t0.ZA - (t0.ZB - t0.ZC)) = ?
      1 12
    c - (b + a) == 0
      (t0.ZC - (t0.ZB + t0.ZA)) = ?
      1 3 12
    8 / 4 / 2 == 1
      ? = ?
      all
    8 / (4 / 2) == 4
      ? = ?
      all
    8 * 4 / 2 == 16
      ? = ?
      all
    8 / 4 * 2 == 4
      ? = ?
      all
    8 * (4 / 2) == 16
      ? = ?
      all
    2 ** 3 ** 2 == 64
      ? = ?
      all
    2 ** (3 ** 2) == 512
      ? = ?
      all
    (2 ** 3) ** 2 == 64
      ? = ?
      all
    2 * 3 ** 2 == 18
      ? = ?
      all
    (2 * 3) ** 2 == 36
      ? = ?
      all
    2 ** 3 * 2 == 16
      ? = ?
      all
    4 + 5 - 2**3 == 1
      ? = ?
      all
    1 + 2 > 2
      ? = ?
      all
    1 + 2 * 3 - 4 / 2 == 5
      ? = ?
      all
    -a == -1
      (? - t0.ZA) = ?
      1 7 12
    -a + b == 1
      ((? - t0.ZA) + t0.ZB) = ?
      1
    - a * b == -2
      ((? - t0.ZA) * t0.ZB) = ?
      1
    -(a + b) == -3
      (? - (t0.ZA + t0.ZB)) = ?
      1 5 10
    -(a) == -1
      (? - t0.ZA) = ?
      1 7 12
    -5 == 0 - 5
      ? = ?
      all
    --5 == 5
      ? = ?
      all
    - - a == 1
      (? - (? - t0.ZA)) = ?
      1 7 12
    a - -1 == 2
      (t0.ZA - ?) = ?
      1 7 12
    a--1 == 2
      (t0.ZA - ?) = ?
      1 7 12
    a + -b == -1
      (t0.ZA + (? - t0.ZB)) = ?
      1
    a * -b == -2
      (t0.ZA * (? - t0.ZB)) = ?
      1
    2 ** -1 == 0.5
      ? = ?
      all
    -2 ** 2 == 4
      ? = ?
      all
    -(2 ** 2) == -4
      ? = ?
      all
    (-2) ** 2 == 4
      ? = ?
      all
    -b ** 2 == 4
      ocd_value('raise:toPower:', (? - t0.ZB), ?) = ?
      1 2 11
    -o.a == -5
      (? - t1.ZA) = ?
      1 2 8
    -list[0] == -1
      memory: an index
      1 10 12
    -(-a) == 1
      (? - (? - t0.ZA)) = ?
      1 7 12
    1 / 0 == nil
      ? IS NULL
      all
    missing + 1 == nil
      error 134060: The function add:to: cannot be applied to this property. Entity: Sample. Property: missing.
    a + b > c - 1
      (t0.ZA + t0.ZB) > (t0.ZC - ?)
      1 2 3 5 11 12
    a + 1 IN {2}
      (t0.ZA + ?) = ?
      1 7 12
    {a + 1, b * 2} CONTAINS 4
      ? = (t0.ZA + ?) OR ? = (t0.ZB * ?)
      1 2 3 11
    a + (b) == 3
      (t0.ZA + t0.ZB) = ?
      1 5 10
    (((a + b))) == 3
      (t0.ZA + t0.ZB) = ?
      1 5 10
    (a + b) * (c - a) == 6
      ((t0.ZA + t0.ZB) * (t0.ZC - t0.ZA)) = ?
      1
    (a + b) ** (c - a) == 9
      ocd_value('raise:toPower:', (t0.ZA + t0.ZB), (t0.ZC - t0.ZA)) = ?
      1
    a + b + c + a + b + c == 12
      (((((t0.ZA + t0.ZB) + t0.ZC) + t0.ZA) + t0.ZB) + t0.ZC) = ?
      1
    0.1 + 0.2 > 0.3
      ? = ?
      all
    a / b == 0
      (t0.ZA / t0.ZB) = ?
      1 5 12
    a * 1.5 == 1.5
      (t0.ZA * ?) = ?
      1 7 12
    modulus:by:(7, 4) == 3
      ? = ?
      all
    7 - modulus:by:(7, 4) * 2 == 1
      ? = ?
      all
    CAST("1.5", "NSDecimalNumber") + CAST("inf", "NSNumber") == 1
      ? = ?
      none
    CAST("-inf", "NSNumber") * CAST("1.5", "NSDecimalNumber") == 1
      ? = ?
      none
    """#
}
