extension GrammarTables {
  /// Formats of operators between operands of every kind.
  package static let comparisons = #"""
    a = 1
      (= a 1)
      > a == 1
      ? true
    a == 1
      (= a 1)
      ? true
    a==1
      (= a 1)
      > a == 1
      ? true
    a != 1
      (!= a 1)
      ? false
    a <> 1
      (!= a 1)
      > a != 1
      ? false
    a < 1
      (< a 1)
      ? false
    a > 1
      (> a 1)
      ? false
    a <= 1
      (<= a 1)
      ? true
    a =< 1
      (<= a 1)
      > a <= 1
      ? true
    a >= 1
      (>= a 1)
      ? true
    a => 1
      (>= a 1)
      > a >= 1
      ? true
    1 = a
      (= 1 a)
      > 1 == a
      ? true
    1 < b
      (< 1 b)
      ? true
    3 >= c
      (>= 3 c)
      ? true
    a = b
      (= a b)
      > a == b
      ? false
    a < b
      (< a b)
      ? true
    o.a > b
      (> o.a b)
      ? true
    a == 1.0
      (= a 1.0)
      ? true
    f == 2.5
      (= f 2.5)
      ? true
    f > 2
      (> f 2)
      ? true
    a = YES
      (= a YES)
      > a == 1
      ? true
    yes == YES
      (= YES YES)
      > 1 == 1
      ? true
    yes == TRUE
      (= YES YES)
      > 1 == 1
      ? true
    yes == true
      (= YES YES)
      > 1 == 1
      ? true
    yes = 1
      (= YES 1)
      > 1 == 1
      ? true
    no == NO
      (= NO NO)
      > 0 == 0
      ? true
    no == FALSE
      (= NO NO)
      > 0 == 0
      ? true
    no == 0
      (= NO 0)
      > 0 == 0
      ? true
    no == false
      (= NO NO)
      > 0 == 0
      ? true
    yes != no
      (!= YES NO)
      > 1 != 0
      ? true
    null == nil
      (= nil nil)
      > nil == nil
      ? true
    null == NIL
      (= nil nil)
      > nil == nil
      ? true
    null == NULL
      (= nil nil)
      > nil == nil
      ? true
    null = null
      (= nil nil)
      > nil == nil
      ? true
    missing == nil
      (= missing nil)
      ? true
    missing != nil
      (!= missing nil)
      ? false
    a != nil
      (!= a nil)
      ? true
    nil == nil
      (= nil nil)
      ? true
    nil != 1
      (!= nil 1)
      ? true
    missing != "v"
      (!= missing 'v')
      ? true
    missing < 1
      (< missing 1)
      ? false
    missing > 1
      (> missing 1)
      ? false
    missing <= nil
      (<= missing nil)
      ? false
    NOT missing < 1
      (not (< missing 1))
      ? true
    NOT missing == 1
      (not (= missing 1))
      ? true
    s == "Résumé"
      (= s 'Résumé')
      ? true
    s == 'Résumé'
      (= s 'Résumé')
      > s == "Résumé"
      ? true
    s == "resume"
      (= s 'resume')
      ? false
    s != "resume"
      (!= s 'resume')
      ? true
    "Résumé" == s
      (= 'Résumé' s)
      ? true
    s > "R"
      (> s 'R')
      ? true
    s < "S"
      (< s 'S')
      ? true
    t >= "text"
      (>= t 'text')
      ? true
    t <= "text"
      (<= t 'text')
      ? true
    SELF != nil
      (!= SELF nil)
      ? true
    SELF == SELF
      (= SELF SELF)
      ? true
    """#
}
