extension GrammarTables {
  /// Formats whose operands are of several kinds, or reach over relationships without destinations.
  package static let mixed = #"""
    a CONTAINS "1"
      (contains a '1')
    "ex" IN missing
      (in 'ex' missing)
    t IN s
      (in t s)
      ? false
    s IN[cd] {"RESUME", "INNER"}
      (in/cd s {'RESUME' 'INNER'})
      ? true
    a LIKE "1*"
      (like a '1*')
    t == 1
      (= t 1)
    a == "1"
      (= a '1')
    a == t
      (= a t)
    when == 86400
      (= when 86400)
    when > "x"
      (> when 'x')
    flag > NO
      (> flag NO)
      > flag > 0
    flag == missing
      (= flag missing)
    imageData == nil
      (= imageData nil)
    ANY pages.t == nil
      (any = pages.t nil)
      ? false
    ALL pages.t == nil
      (all = pages.t nil)
      ? false
    NONE pages.t == nil
      (not (any = pages.t nil))
      > NOT ANY pages.t == nil
      ? true
    ANY rel.attr != "v"
      (any != rel.attr 'v')
    ALL pages.n > a
      (all > pages.n a)
      ? false
    ANY pages.n > b AND NOT ANY pages.t == nil
      (and (any > pages.n b) (not (any = pages.t nil)))
      ? true
    o == nil OR o.a == 5
      (or (= o nil) (= o.a 5))
      ? true
    o.a != 5
      (!= o.a 5)
      ? false
    NOT o.a == 5
      (not (= o.a 5))
      ? false
    o == nil
      (= o nil)
      ? false
    pages.@count == children.@count
      (= pages.@count children.@count)
    pages.@sum.n / pages.@count == 2
      (= (divide:by: pages.@sum.n pages.@count) 2)
      ? true
    SUBQUERY(pages, $p, $p.notes.@count > 0).@count == 1
      (= (. (subquery pages $p (> (. $p notes.@count) 0)) @count) 1)
    SUBQUERY(pages, $p, ANY $p.notes.n == $p.n).@count > 0
      (> (. (subquery pages $p (any = (. $p notes.n) (. $p n))) @count) 0)
    SUBQUERY(pages, $p, $p.n IN {1, 2}).n.@max == 2
      (= (. (subquery pages $p (in (. $p n) {1 2})) n.@max) 2)
      ? true
    SUBQUERY(pages, $p, $p.t == nil OR $p.n == nil).@count > 0
      (> (. (subquery pages $p (or (= (. $p t) nil) (= (. $p n) nil))) @count) 0)
    SUBQUERY(pages, $p, NOT $p.n == 3).@count == 2
      (= (. (subquery pages $p (not (= (. $p n) 3))) @count) 2)
      ? true
    SUBQUERY(children, $c, $c.a > a).@count > 0
      (> (. (subquery children $c (> (. $c a) a)) @count) 0)
    SUBQUERY(children, $c, SUBQUERY($c.pages, $p, $p.n > a).@count > 0).@count > 0
      (> (. (subquery children $c (> (. (subquery (. $c pages) $p (> (. $p n) a)) @count) 0)) @count) 0)
    TERNARY(o == nil, "none", o.s) == "none"
      (= (ternary (= o nil) 'none' o.s) 'none')
      ? false
    length:(o.s) > length:(t)
      (> (length: o.s) (length: t))
      ? true
    a ** 2 + b ** 2 == c ** 2 - 4
      (= (add:to: (raise:toPower: a 2) (raise:toPower: b 2)) (from:subtract: (raise:toPower: c 2) 4))
      ? true
    name BEGINSWITH ""
      (beginsWith name '')
    name ENDSWITH[cd] ""
      (endsWith/cd name '')
    name == nil OR name == ""
      (or (= name nil) (= name ''))
    {name, s} CONTAINS "inner"
      (contains {name s} 'inner')
      ? false
    "inner" IN {name, s, o.s}
      (in 'inner' {name s o.s})
      ? true
    a IN {b, c, nil}
      (in a {b c nil})
      ? false
    """#
}
