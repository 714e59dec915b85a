extension GrammarTables {
  /// Formats of functions, `TERNARY` and `SUBQUERY`.
  package static let functions = #"""
    sum:(1, 2, 3) == 6
      (= (sum: 1 2 3) 6)
      ? true
    sum:(list) == 6
      (= (sum: list) 6)
      ? true
    sum:({1, 2}) == 3
      (= (sum: {1 2}) 3)
      ? true
    sum(list) == 6
      (= (sum: list) 6)
      > sum:(list) == 6
      ? true
    count:(list) == 3
      (= (count: list) 3)
      ? true
    count(words) == 3
      (= (count: words) 3)
      > count:(words) == 3
      ? true
    count:({}) == 0
      (= (count: {}) 0)
      ? true
    min:(3, 1, 2) == 1
      (= (min: 3 1 2) 1)
      ? true
    min:(list) == 1
      (= (min: list) 1)
      ? true
    max:(3, 1, 2) == 3
      (= (max: 3 1 2) 3)
      ? true
    max(list) == 3
      (= (max: list) 3)
      > max:(list) == 3
      ? true
    average:(1, 2, 3) == 2
      (= (average: 1 2 3) 2)
      ? true
    average:(list) == 2
      (= (average: list) 2)
      ? true
    median:(1, 5, 2) == 2
      (= (median: 1 5 2) 2)
      ? true
    median:({1, 2, 3, 4}) == 2.5
      (= (median: {1 2 3 4}) 2.5)
      ? true
    1 IN mode:(1, 1, 2)
      (in 1 (mode: 1 1 2))
      ? true
    mode:({1, 2, 2}) CONTAINS 2
      (contains (mode: {1 2 2}) 2)
      ? true
    stddev:(2, 4, 4, 4, 5, 5, 7, 9) == 2
      (= (stddev: 2 4 4 4 5 5 7 9) 2)
      ? true
    add:to:(a, b) == 3
      (= (add:to: a b) 3)
      > a + b == 3
      ? true
    from:subtract:(b, a) == 1
      (= (from:subtract: b a) 1)
      > b - a == 1
      ? true
    multiply:by:(b, c) == 6
      (= (multiply:by: b c) 6)
      > b * c == 6
      ? true
    divide:by:(6, b) == 3
      (= (divide:by: 6 b) 3)
      > 6 / b == 3
      ? true
    modulus:by:(c, b) == 1
      (= (modulus:by: c b) 1)
      ? true
    raise:toPower:(b, 3) == 8
      (= (raise:toPower: b 3) 8)
      > b ** 3 == 8
      ? true
    sqrt:(4) == 2
      (= (sqrt: 4) 2)
      ? true
    sqrt(-1) == nil
      (= (sqrt: -1) nil)
      > sqrt:(-1) == nil
      ? true
    log:(100) == 2
      (= (log: 100) 2)
      ? true
    ln:(1) == 0
      (= (ln: 1) 0)
      ? true
    exp:(0) == 1
      (= (exp: 0) 1)
      ? true
    floor:(2.7) == 2
      (= (floor: 2.7) 2)
      ? true
    floor(-2.5) == -3
      (= (floor: -2.5) -3)
      > floor:(-2.5) == -3
      ? true
    ceiling:(2.1) == 3
      (= (ceiling: 2.1) 3)
      ? true
    abs:(-3) == 3
      (= (abs: -3) 3)
      ? true
    abs(a - b) == 1
      (= (abs: (from:subtract: a b)) 1)
      > abs:(a - b) == 1
      ? true
    trunc:(-2.7) == -2
      (= (trunc: -2.7) -2)
      ? true
    uppercase:(t) == "TEXT"
      (= (uppercase: t) 'TEXT')
      ? true
    lowercase:("TeXt") == "text"
      (= (lowercase: 'TeXt') 'text')
      ? true
    canonical:(s) == "resume"
      (= (canonical: s) 'resume')
      ? true
    length:(t) == 4
      (= (length: t) 4)
      ? true
    length(s) == 6
      (= (length: s) 6)
      > length:(s) == 6
      ? true
    length:(missing) == nil
      (= (length: missing) nil)
      ? true
    random() < 1
      (< (random) 1)
    random () >= 0
      (>= (random) 0)
      > random() >= 0
    randomn:(10) < 10
      (< (randomn: 10) 10)
    now() > when
      (> (now) when)
    now ( ) > when
      (> (now) when)
      > now() > when
    now:() > when
      (> (now) when)
      > now() > when
    bitwiseAnd:with:(6, 3) == 2
      (= (bitwiseAnd:with: 6 3) 2)
      > 6 & 3 == 2
      ? true
    bitwiseOr:with:(6, 3) == 7
      (= (bitwiseOr:with: 6 3) 7)
      > 6 | 3 == 7
      ? true
    bitwiseXor:with:(6, 3) == 5
      (= (bitwiseXor:with: 6 3) 5)
      > 6 ^ 3 == 5
      ? true
    leftshift:by:(1, 4) == 16
      (= (leftshift:by: 1 4) 16)
      > 1 << 4 == 16
      ? true
    rightshift:by:(16, 4) == 1
      (= (rightshift:by: 16 4) 1)
      > 16 >> 4 == 1
      ? true
    onesComplement:(0) == -1
      (= (onesComplement: 0) -1)
      > ~0 == -1
      ? true
    noindex:(t) == "text"
      (= (noindex: t) 'text')
      ? true
    distanceToLocation:fromLocation:(a, b) < 5
      (< (distanceToLocation:fromLocation: a b) 5)
    castObject:toType:("5", "NSNumber") == 5
      (= (castObject:toType: '5' 'NSNumber') 5)
      ? true
    castObject:toType:(a, "NSString") == "1"
      (= (castObject:toType: a 'NSString') '1')
      ? true
    objectFrom:withIndex:(list, 0) == 1
      (= (objectFrom:withIndex: list 0) 1)
      ? true
    objectFrom:withIndex:(list, 9) == nil
      (= (objectFrom:withIndex: list 9) nil)
      ? true
    modulus:by: (c, b) == 1
      (= (modulus:by: c b) 1)
      > modulus:by:(c, b) == 1
      ? true
    sum:( 1 , 2 ) == 3
      (= (sum: 1 2) 3)
      > sum:(1, 2) == 3
      ? true
    abs:(floor:(-2.5)) == 3
      (= (abs: (floor: -2.5)) 3)
      ? true
    max:(min:(1, 2), 0) == 1
      (= (max: (min: 1 2) 0) 1)
      ? true
    uppercase:(t) CONTAINS "EX"
      (contains (uppercase: t) 'EX')
      ? true
    length:(t) + length:(s) == 10
      (= (add:to: (length: t) (length: s)) 10)
      ? true
    FUNCTION(t, "uppercase:") == "TEXT"
      (= (uppercase: t) 'TEXT')
      > uppercase:(t) == "TEXT"
      ? true
    FUNCTION(t, 'uppercase') == "TEXT"
      (= (uppercase: t) 'TEXT')
      > uppercase:(t) == "TEXT"
      ? true
    function(c, "modulus:by:", b) == 1
      (= (modulus:by: c b) 1)
      > modulus:by:(c, b) == 1
      ? true
    FUNCTION("now") != nil
      (!= (now) nil)
      > now() != nil
      ? true
    FUNCTION("hello world", 'substring2ToIndex:', 1) == "h"
      (= (substring2ToIndex: 'hello world' 1) 'h')
      > FUNCTION("hello world", "substring2ToIndex:", 1) == "h"
    FUNCTION(SELF, "perform:with:", a, "b") == nil
      (= (perform:with: SELF a 'b') nil)
    FUNCTION(FUNCTION(a, "one"), "two:", b).c == nil
      (= (. (two: (one a) b) c) nil)
    FUNCTION(a, "add:to:") == nil
      (= (add:to: a) nil)
    FUNCTION(a, "odd name \"x\"") == nil
      (= (odd name "x" a) nil)
    FUNCTION("unknown") == nil
      (= (unknown) nil)
    FUNCTION(a, "description").length() > 1
      (> (length: (description a)) 1)
      > length:(FUNCTION(a, "description")) > 1
    FUNCTION(o, "valueForKey:", "x").list[0].y == 1
      (= (. (index (. (valueForKey: o 'x') list) 0) y) 1)
    TERNARY(a == 1, b, c) == 2
      (= (ternary (= a 1) b c) 2)
      ? true
    TERNARY(a == 2, b, c) == 3
      (= (ternary (= a 2) b c) 3)
      ? true
    ternary(TRUEPREDICATE, "x", "y") == "x"
      (= (ternary TRUE 'x' 'y') 'x')
      > TERNARY(TRUEPREDICATE, "x", "y") == "x"
      ? true
    TERNARY(a == 1 AND b == 3, 1, 0) == 0
      (= (ternary (and (= a 1) (= b 3)) 1 0) 0)
      ? true
    TERNARY((a == 1), o, nil).a == 5
      (= (. (ternary (= a 1) o nil) a) 5)
      > TERNARY(a == 1, o, nil).a == 5
      ? true
    TERNARY(NOT a == 1, 1, TERNARY(b == 2, 2, 3)) == 2
      (= (ternary (not (= a 1)) 1 (ternary (= b 2) 2 3)) 2)
      ? true
    TERNARY(a == 1, 1, 0) + 1 == 2
      (= (add:to: (ternary (= a 1) 1 0) 1) 2)
      ? true
    SUBQUERY(pages, $p, $p.n > 1).@count == 2
      (= (. (subquery pages $p (> (. $p n) 1)) @count) 2)
      ? true
    subquery(pages, $p, $p.n > 1).@count > 5
      (> (. (subquery pages $p (> (. $p n) 1)) @count) 5)
      > SUBQUERY(pages, $p, $p.n > 1).@count > 5
      ? false
    SUBQUERY(pages, $p, $p.n > 1 AND $p.t == "z").@count == 1
      (= (. (subquery pages $p (and (> (. $p n) 1) (= (. $p t) 'z'))) @count) 1)
      ? true
    SUBQUERY(pages, $p, $p.n > 1) != nil
      (!= (subquery pages $p (> (. $p n) 1)) nil)
      ? true
    SUBQUERY(pages, $p, $p.n > b)[0].n == 3
      (= (. (index (subquery pages $p (> (. $p n) b)) 0) n) 3)
      ? true
    SUBQUERY(pages, $p, $p.n > 1)[FIRST].t == "y"
      (= (. (first (subquery pages $p (> (. $p n) 1))) t) 'y')
      ? true
    SUBQUERY(pages, $p, $p.n > 1).n.@sum == 5
      (= (. (subquery pages $p (> (. $p n) 1)) n.@sum) 5)
      ? true
    SUBQUERY(pages, $p, TRUEPREDICATE)[SIZE] == 3
      (= (size (subquery pages $p TRUE)) 3)
      ? true
    SUBQUERY(SUBQUERY(pages, $p, $p.n > 1), $q, $q.n < 3).@count == 1
      (= (. (subquery (subquery pages $p (> (. $p n) 1)) $q (< (. $q n) 3)) @count) 1)
      ? true
    SUBQUERY(pages, $p, SUBQUERY(pages, $q, $q.n > $p.n).@count == 2).@count == 1
      (= (. (subquery pages $p (= (. (subquery pages $q (> (. $q n) (. $p n))) @count) 2)) @count) 1)
      ? true
    SUBQUERY(pages, $p, ANY list == $p.n).@count == 3
      (= (. (subquery pages $p (any = list (. $p n))) @count) 3)
      ? true
    SUBQUERY({1, 2, 3}, $x, $x > 1).@count == 2
      (= (. (subquery {1 2 3} $x (> $x 1)) @count) 2)
      ? true
    SUBQUERY(missing, $x, $x > 1).@count == 0
      (= (. (subquery missing $x (> $x 1)) @count) 0)
      ? true
    SUBQUERY(o.list, $"odd name", $"odd name" > 7).@count == 1
      (= (. (subquery o.list $odd name (> $odd name 7)) @count) 1)
      ? true
    SUBQUERY(list UNION o.list, $x, $x > 2).@count == 3
      (= (. (subquery (union list o.list) $x (> $x 2)) @count) 3)
      ? true
    """#
}
