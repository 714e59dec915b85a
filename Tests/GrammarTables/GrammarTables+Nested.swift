extension GrammarTables {
  /// Formats in which options, lists and nils stand where they are easily lost.
  package static let nested = #"""
    t BETWEEN[cd] {"TEXT", "TÉXT"}
      (between/cd t {'TEXT' 'TÉXT'})
      ? true
    t BETWEEN[n] {"a", "z"}
      (between/n t {'a' 'z'})
      ? true
    NOT t BETWEEN[c] {"A", "U"}
      (not (between/c t {'A' 'U'}))
      ? false
    a BETWEEN[c] {1, 2}
      (between/c a {1 2})
      ? true
    "B" BETWEEN[c] {"a", "c"}
      (between/c 'B' {'a' 'c'})
      ? true
    ANY pages.t BETWEEN[c] {"Y", "Z"}
      (any between/c pages.t {'Y' 'Z'})
      ? true
    t BETWEEN[c] %@ <== t:A,U
      (between/c t %0)
      > t BETWEEN[c] {"A", "U"}
      ? true
    %@ BETWEEN[c] {"a", "c"} <== s:B
      (between/c %0 {'a' 'c'})
      > "B" BETWEEN[c] {"a", "c"}
      ? true
    %@ BETWEEN[c] {1, b} <== 2
      (between/c %0 {1 b})
      > 2 BETWEEN[c] {1, b}
      ? true
    a >=[c] 1
      (>=/c a 1)
      ? true
    a IN[cd] {1, 4}
      (in/cd a {1 4})
      ? true
    a !=[c] 2
      (!=/c a 2)
      ? true
    %@ <[c] %@ <== s:b s:C
      (</c %0 %1)
      > "b" <[c] "C"
      ? true
    %@ ==[c] %@ <== 2 2
      (=/c %0 %1)
      > 2 ==[c] 2
      ? true
    %@ >[cd] %@ <== 3 d:2.5
      (>/cd %0 %1)
      > 3 >[cd] 2.5
      ? true
    t <[l] "Textb"
      (</l t 'Textb')
      ? true
    t BETWEEN[l] {"tESSA", "Textb"}
      (between/l t {'tESSA' 'Textb'})
      ? true
    t >[nl] "Textb"
      (>/nl t 'Textb')
      ? true
    %@[1] == a <== l:4,1
      (= (index %0 1) a)
      > {4, 1}[1] == a
      ? true
    %@[FIRST] == a <== l:1,4
      (= (first %0) a)
      > {1, 4}[FIRST] == a
      ? true
    SUBQUERY(%@, $x, $x > 1).@count == b <== l:1,2,3
      (= (. (subquery %0 $x (> $x 1)) @count) b)
      > SUBQUERY({1, 2, 3}, $x, $x > 1).@count == b
      ? true
    SUBQUERY(%@, $x, $x == a).@count == 1 <== l:1,2,3
      (= (. (subquery %0 $x (= $x a)) @count) 1)
      > SUBQUERY({1, 2, 3}, $x, $x == a).@count == 1
      ? true
    %@.@max == c <== l:1,3
      (= (. %0 @max) c)
      > {1, 3}.@max == c
      ? true
    mode:(1, 1, 2) CONTAINS a
      (contains (mode: 1 1 2) a)
      ? true
    ({1, 2} UNION {3}) CONTAINS a
      (contains (union {1 2} {3}) a)
      > {1, 2} UNION {3} CONTAINS a
      ? true
    {1, 1} UNION {1} == {1}
      (= (union {1 1} {1}) {1})
      ? true
    {2, 2} == {2, 3}
      (= {2 2} {2 3})
      ? false
    {1, 2} == {2, 1}
      (= {1 2} {2 1})
      ? true
    {1, 2} != {a, b}
      (!= {1 2} {a b})
      ? false
    {a, nil} CONTAINS 1
      (contains {a nil} 1)
      ? true
    a IN {1, nil}
      (in a {1 nil})
      ? true
    NOT a IN {2, nil}
      (not (in a {2 nil}))
      ? true
    NOT a IN {}
      (not (in a {}))
      ? true
    NOT missing BETWEEN {"a", "z"}
      (not (between missing {'a' 'z'}))
      ? true
    NOT missing CONTAINS "x"
      (not (contains missing 'x'))
      ? true
    NOT (missing == nil OR a == nil)
      (not (or (= missing nil) (= a nil)))
      ? false
    a != nil AND NOT a == 2
      (and (!= a nil) (not (= a 2)))
      ? true
    TERNARY(missing == nil, a, b) == 1
      (= (ternary (= missing nil) a b) 1)
      ? true
    TERNARY(missing == "x", 1, 2) == 2
      (= (ternary (= missing 'x') 1 2) 2)
      ? true
    t MATCHES[c] ""
      (matches/c t '')
      ? false
    list.@count == 3 AND a == 1
      (and (= list.@count 3) (= a 1))
      ? true
    sum:(o.list) > 14
      (> (sum: o.list) 14)
      ? true
    $x.a + 1 > 2
      (> (add:to: (. $x a) 1) 2)
      ? false
    """#
}
