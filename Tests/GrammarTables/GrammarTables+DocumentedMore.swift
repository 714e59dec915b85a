extension GrammarTables {
  /// Formats of predicates from documentation and from real applications, over keys of both.
  package static let documentedMore = #"""
    %K IN %@ <== s:t t:text,other
      (in t %0)
      > t IN {"text", "other"}
      ? true
    name IN %@ <== t:x,name
      (in name %0)
      > name IN {"x", "name"}
    name in %@ <== t:
      (in name %0)
      > name IN {""}
    %K = %@ <== s:a 1
      (= a %0)
      > a == 1
      ? true
    isDefault == %d <== 1
      (= isDefault %0)
      > isDefault == 1
    isDefault == %@ <== YES
      (= isDefault %0)
      > isDefault == 1
    isDefault != YES
      (!= isDefault YES)
      > isDefault != 1
    ANY pages.n == 1 AND ANY pages.t == "z"
      (and (any = pages.n 1) (any = pages.t 'z'))
      ? true
    SUBQUERY(pages, $p, $p.n == 1 AND $p.t == "z").@count > 0
      (> (. (subquery pages $p (and (= (. $p n) 1) (= (. $p t) 'z'))) @count) 0)
      ? false
    SUBQUERY(pages, $p, $p.n == c).@count > 2
      (> (. (subquery pages $p (= (. $p n) c)) @count) 2)
      ? false
    pages.@max.n == nil
      (= pages.@max.n nil)
      ? false
    pages.@count == 0
      (= pages.@count 0)
      ? false
    pages.@sum.n == 0
      (= pages.@sum.n 0)
      ? false
    pages.@max.n > pages.@min.n
      (> pages.@max.n pages.@min.n)
      ? true
    pages.@avg.n BETWEEN {2, 3}
      (between pages.@avg.n {2 3})
      ? true
    %K IN %K <== s:a s:pages.n
      (in a pages.n)
      > a IN pages.n
      ? true
    pages.n CONTAINS a
      (contains pages.n a)
      ? true
    NOT a IN pages.n
      (not (in a pages.n))
      ? false
    ALL pages.n != 2
      (all != pages.n 2)
      ? false
    ALL pages.t IN {"x", "y", "z"}
      (all in pages.t {'x' 'y' 'z'})
      ? true
    NOT ALL pages.n > 1
      (not (all > pages.n 1))
      ? true
    ANY pages.n != 1
      (any != pages.n 1)
      ? true
    NOT ANY pages.n == 1
      (not (any = pages.n 1))
      ? false
    ANY pages.notes.n == 3
      (any = pages.notes.n 3)
    pages.notes.@count > 2
      (> pages.notes.@count 2)
    children.@count > 1 OR children.@max.a == 2
      (or (> children.@count 1) (= children.@max.a 2))
    parent.a == 2
      (= parent.a 2)
    parent.parent.a == 2
      (= parent.parent.a 2)
    parent == nil
      (= parent nil)
    parent != nil AND parent.name != "X"
      (and (!= parent nil) (!= parent.name 'X'))
    parent == SELF
      (= parent SELF)
    o.self == o
      (= o.self o)
      ? true
    o.SELF.s ==[c] "INNER"
      (=/c o.SELF.s 'INNER')
      ? true
    SELF IN children
      (in SELF children)
    ANY children.flag == YES
      (any = children.flag YES)
      > ANY children.flag == 1
    castObject:toType:(a, "NSDate") < when
      (< (castObject:toType: a 'NSDate') when)
      ? true
    castObject:toType:(t, "NSNumber") == nil
      (= (castObject:toType: t 'NSNumber') nil)
      ? true
    CAST(a, "NSDate") < now()
      (< (cast a NSDate) (now))
    when <= now() AND when >= CAST(0, "NSDate")
      (and (<= when (now)) (>= when (date 0.0)))
      > when <= now() AND when >= CAST(0.000000, "NSDate")
      ? true
    modulus:by:(a, 2) == 1 AND abs:(a) == 1
      (and (= (modulus:by: a 2) 1) (= (abs: a) 1))
      ? true
    uppercase:(lowercase:(s)) == "RÉSUMÉ"
      (= (uppercase: (lowercase: s)) 'RÉSUMÉ')
      ? true
    bitwiseOr:with:(a, 2) == 3
      (= (bitwiseOr:with: a 2) 3)
      > a | 2 == 3
      ? true
    leftshift:by:(a, 2) == 4 AND rightshift:by:(#size, 2) == 1
      (and (= (leftshift:by: a 2) 4) (= (rightshift:by: size 2) 1))
      > a << 2 == 4 AND #size >> 2 == 1
      ? true
    """#
}
