extension GrammarTables {
  /// Formats of arithmetic, signs and precedence.
  package static let arithmetic = #"""
    a + b == 3
      (= (add:to: a b) 3)
      ? true
    a+b==3
      (= (add:to: a b) 3)
      > a + b == 3
      ? true
    b - a == 1
      (= (from:subtract: b a) 1)
      ? true
    b * c == 6
      (= (multiply:by: b c) 6)
      ? true
    c / 2 == 1
      (= (divide:by: c 2) 1)
      ? true
    c / 2.0 == 1.5
      (= (divide:by: c 2.0) 1.5)
      ? true
    b ** 3 == 8
      (= (raise:toPower: b 3) 8)
      ? true
    (b & 3) != 0
      (!= (bitwiseAnd:with: b 3) 0)
      > b & 3 != 0
      ? true
    a | b ^ 6 & 3 == 1
      (= (bitwiseOr:with: a (bitwiseXor:with: b (bitwiseAnd:with: 6 3))) 1)
      ? true
    (a | b) ^ c == 0
      (= (bitwiseXor:with: (bitwiseOr:with: a b) c) 0)
      ? true
    a + b << c == 24
      (= (leftshift:by: (add:to: a b) c) 24)
      ? true
    24>>c==c
      (= (rightshift:by: 24 c) c)
      > 24 >> c == c
      ? true
    ~b == -3
      (= (onesComplement: b) -3)
      ? true
    ~(a + b) == -4
      (= (onesComplement: (add:to: a b)) -4)
      ? true
    a + b * c == 7
      (= (add:to: a (multiply:by: b c)) 7)
      ? true
    (a + b) * c == 9
      (= (multiply:by: (add:to: a b) c) 9)
      ? true
    a * b + c == 5
      (= (add:to: (multiply:by: a b) c) 5)
      ? true
    a * (b + c) == 5
      (= (multiply:by: a (add:to: b c)) 5)
      ? true
    a - b - c == -4
      (= (from:subtract: (from:subtract: a b) c) -4)
      ? true
    a - (b - c) == 2
      (= (from:subtract: a (from:subtract: b c)) 2)
      ? true
    c - (b + a) == 0
      (= (from:subtract: c (add:to: b a)) 0)
      ? true
    8 / 4 / 2 == 1
      (= (divide:by: (divide:by: 8 4) 2) 1)
      ? true
    8 / (4 / 2) == 4
      (= (divide:by: 8 (divide:by: 4 2)) 4)
      ? true
    8 * 4 / 2 == 16
      (= (divide:by: (multiply:by: 8 4) 2) 16)
      ? true
    8 / 4 * 2 == 4
      (= (multiply:by: (divide:by: 8 4) 2) 4)
      ? true
    8 * (4 / 2) == 16
      (= (multiply:by: 8 (divide:by: 4 2)) 16)
      ? true
    2 ** 3 ** 2 == 64
      (= (raise:toPower: (raise:toPower: 2 3) 2) 64)
      ? true
    2 ** (3 ** 2) == 512
      (= (raise:toPower: 2 (raise:toPower: 3 2)) 512)
      ? true
    (2 ** 3) ** 2 == 64
      (= (raise:toPower: (raise:toPower: 2 3) 2) 64)
      > 2 ** 3 ** 2 == 64
      ? true
    2 * 3 ** 2 == 18
      (= (multiply:by: 2 (raise:toPower: 3 2)) 18)
      ? true
    (2 * 3) ** 2 == 36
      (= (raise:toPower: (multiply:by: 2 3) 2) 36)
      ? true
    2 ** 3 * 2 == 16
      (= (multiply:by: (raise:toPower: 2 3) 2) 16)
      ? true
    4 + 5 - 2**3 == 1
      (= (from:subtract: (add:to: 4 5) (raise:toPower: 2 3)) 1)
      > 4 + 5 - 2 ** 3 == 1
      ? true
    1 + 2 > 2
      (> (add:to: 1 2) 2)
      ? true
    1 + 2 * 3 - 4 / 2 == 5
      (= (from:subtract: (add:to: 1 (multiply:by: 2 3)) (divide:by: 4 2)) 5)
      ? true
    -a == -1
      (= (from:subtract: 0 a) -1)
      > 0 - a == -1
      ? true
    -a + b == 1
      (= (add:to: (from:subtract: 0 a) b) 1)
      > 0 - a + b == 1
      ? true
    - a * b == -2
      (= (multiply:by: (from:subtract: 0 a) b) -2)
      > (0 - a) * b == -2
      ? true
    -(a + b) == -3
      (= (from:subtract: 0 (add:to: a b)) -3)
      > 0 - (a + b) == -3
      ? true
    -(a) == -1
      (= (from:subtract: 0 a) -1)
      > 0 - a == -1
      ? true
    -5 == 0 - 5
      (= -5 (from:subtract: 0 5))
      ? true
    --5 == 5
      (= 5 5)
      > 5 == 5
      ? true
    - - a == 1
      (= (from:subtract: 0 (from:subtract: 0 a)) 1)
      > 0 - (0 - a) == 1
      ? true
    a - -1 == 2
      (= (from:subtract: a -1) 2)
      ? true
    a--1 == 2
      (= (from:subtract: a -1) 2)
      > a - -1 == 2
      ? true
    a + -b == -1
      (= (add:to: a (from:subtract: 0 b)) -1)
      > a + (0 - b) == -1
      ? true
    a * -b == -2
      (= (multiply:by: a (from:subtract: 0 b)) -2)
      > a * (0 - b) == -2
      ? true
    2 ** -1 == 0.5
      (= (raise:toPower: 2 -1) 0.5)
      ? true
    -2 ** 2 == 4
      (= (raise:toPower: -2 2) 4)
      ? true
    -(2 ** 2) == -4
      (= (from:subtract: 0 (raise:toPower: 2 2)) -4)
      > 0 - 2 ** 2 == -4
      ? true
    (-2) ** 2 == 4
      (= (raise:toPower: -2 2) 4)
      > -2 ** 2 == 4
      ? true
    -b ** 2 == 4
      (= (raise:toPower: (from:subtract: 0 b) 2) 4)
      > (0 - b) ** 2 == 4
      ? true
    -o.a == -5
      (= (from:subtract: 0 o.a) -5)
      > 0 - o.a == -5
      ? true
    -list[0] == -1
      (= (from:subtract: 0 (index list 0)) -1)
      > 0 - list[0] == -1
      ? true
    -(-a) == 1
      (= (from:subtract: 0 (from:subtract: 0 a)) 1)
      > 0 - (0 - a) == 1
      ? true
    1 / 0 == nil
      (= (divide:by: 1 0) nil)
      ? true
    missing + 1 == nil
      (= (add:to: missing 1) nil)
      ? true
    a + b > c - 1
      (> (add:to: a b) (from:subtract: c 1))
      ? true
    a + 1 IN {2}
      (in (add:to: a 1) {2})
      ? true
    {a + 1, b * 2} CONTAINS 4
      (contains {(add:to: a 1) (multiply:by: b 2)} 4)
      ? true
    a + (b) == 3
      (= (add:to: a b) 3)
      > a + b == 3
      ? true
    (((a + b))) == 3
      (= (add:to: a b) 3)
      > a + b == 3
      ? true
    (a + b) * (c - a) == 6
      (= (multiply:by: (add:to: a b) (from:subtract: c a)) 6)
      ? true
    (a + b) ** (c - a) == 9
      (= (raise:toPower: (add:to: a b) (from:subtract: c a)) 9)
      ? true
    a + b + c + a + b + c == 12
      (= (add:to: (add:to: (add:to: (add:to: (add:to: a b) c) a) b) c) 12)
      ? true
    0.1 + 0.2 > 0.3
      (> (add:to: 0.1 0.2) 0.3)
      ? true
    a / b == 0
      (= (divide:by: a b) 0)
      ? true
    a * 1.5 == 1.5
      (= (multiply:by: a 1.5) 1.5)
      ? true
    modulus:by:(7, 4) == 3
      (= (modulus:by: 7 4) 3)
      ? true
    7 - modulus:by:(7, 4) * 2 == 1
      (= (from:subtract: 7 (multiply:by: (modulus:by: 7 4) 2)) 1)
      ? true
    CAST("1.5", "NSDecimalNumber") + CAST("inf", "NSNumber") == 1
      (= (add:to: (decimal 1.5) inf) 1)
      ? false
    CAST("-inf", "NSNumber") * CAST("1.5", "NSDecimalNumber") == 1
      (= (multiply:by: -inf (decimal 1.5)) 1)
      ? false
    """#
}
