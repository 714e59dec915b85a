extension GrammarTables {
  /// Formats of `NOT`, `AND`, `OR`, parentheses and precedence.
  package static let compounds = #"""
    a == 1 AND b == 2
      (and (= a 1) (= b 2))
      ? true
    a == 1 and b == 2
      (and (= a 1) (= b 2))
      > a == 1 AND b == 2
      ? true
    a == 1 && b == 2
      (and (= a 1) (= b 2))
      > a == 1 AND b == 2
      ? true
    a == 1 OR b == 3
      (or (= a 1) (= b 3))
      ? true
    a == 1 or b == 3
      (or (= a 1) (= b 3))
      > a == 1 OR b == 3
      ? true
    a == 1 || b == 3
      (or (= a 1) (= b 3))
      > a == 1 OR b == 3
      ? true
    a == 2 Or b == 3
      (or (= a 2) (= b 3))
      > a == 2 OR b == 3
      ? false
    NOT a == 1
      (not (= a 1))
      ? false
    not a == 1
      (not (= a 1))
      > NOT a == 1
      ? false
    ! a == 1
      (not (= a 1))
      > NOT a == 1
      ? false
    !a == 1
      (not (= a 1))
      > NOT a == 1
      ? false
    NOT NOT a == 1
      (not (not (= a 1)))
      ? true
    !!a == 1
      (not (not (= a 1)))
      > NOT NOT a == 1
      ? true
    NOT (a == 1)
      (not (= a 1))
      > NOT a == 1
      ? false
    NOT(a == 1)
      (not (= a 1))
      > NOT a == 1
      ? false
    !(a == 2)
      (not (= a 2))
      > NOT a == 2
      ? true
    NOT (a == 1 AND b == 2)
      (not (and (= a 1) (= b 2)))
      ? false
    NOT (a == 1 OR b == 2)
      (not (or (= a 1) (= b 2)))
      ? false
    !(a == 1 || b == 2) && c == 3
      (and (not (or (= a 1) (= b 2))) (= c 3))
      > NOT (a == 1 OR b == 2) AND c == 3
      ? false
    NOT a == 1 AND b == 2
      (and (not (= a 1)) (= b 2))
      ? false
    NOT a == 2 OR b == 3
      (or (not (= a 2)) (= b 3))
      ? true
    a == 1 AND NOT b == 2
      (and (= a 1) (not (= b 2)))
      ? false
    a == 1 AND b == 2 AND c == 3
      (and (= a 1) (= b 2) (= c 3))
      ? true
    a == 1 && b == 2 AND c == 3
      (and (= a 1) (= b 2) (= c 3))
      > a == 1 AND b == 2 AND c == 3
      ? true
    a == 2 OR b == 3 OR c == 3
      (or (= a 2) (= b 3) (= c 3))
      ? true
    a == 1 OR b == 2 AND c == 4
      (or (= a 1) (and (= b 2) (= c 4)))
      > a == 1 OR (b == 2 AND c == 4)
      ? true
    a == 2 AND b == 2 OR c == 3
      (or (and (= a 2) (= b 2)) (= c 3))
      > (a == 2 AND b == 2) OR c == 3
      ? true
    a == 1 AND b == 2 OR c == 3 AND f == 1
      (or (and (= a 1) (= b 2)) (and (= c 3) (= f 1)))
      > (a == 1 AND b == 2) OR (c == 3 AND f == 1)
      ? true
    (a == 1 OR b == 2) AND c == 4
      (and (or (= a 1) (= b 2)) (= c 4))
      ? false
    a == 1 AND (b == 2 OR c == 4)
      (and (= a 1) (or (= b 2) (= c 4)))
      ? true
    a == 1 AND (b == 2 AND c == 3)
      (and (= a 1) (and (= b 2) (= c 3)))
      ? true
    (a == 1 AND b == 2) AND c == 3
      (and (and (= a 1) (= b 2)) (= c 3))
      ? true
    (a == 2 OR b == 3) OR c == 3
      (or (or (= a 2) (= b 3)) (= c 3))
      ? true
    a == 2 OR (b == 3 OR c == 3)
      (or (= a 2) (or (= b 3) (= c 3)))
      ? true
    ((a == 1))
      (= a 1)
      > a == 1
      ? true
    (((a == 1) AND ((b == 2))))
      (and (= a 1) (= b 2))
      > a == 1 AND b == 2
      ? true
    (a == 1)
      (= a 1)
      > a == 1
      ? true
    (a) == (1)
      (= a 1)
      > a == 1
      ? true
    ((a) == 1)
      (= a 1)
      > a == 1
      ? true
    (NOT a == 2)
      (not (= a 2))
      > NOT a == 2
      ? true
    NOT ((a == 1) AND (NOT (b == 3)))
      (not (and (= a 1) (not (= b 3))))
      > NOT (a == 1 AND NOT b == 3)
      ? false
    (a == 1 AND b == 30) AND (c == 20 OR f == 40)
      (and (and (= a 1) (= b 30)) (or (= c 20) (= f 40)))
      ? false
    (a == 1 AND b == 2) OR (c == 3 AND f == 1)
      (or (and (= a 1) (= b 2)) (and (= c 3) (= f 1)))
      ? true
    (a == 1 OR b == 3) AND (c == 3 OR f == 1)
      (and (or (= a 1) (= b 3)) (or (= c 3) (= f 1)))
      ? true
    NOT (NOT (a == 1 AND b == 2) OR c == 4)
      (not (or (not (and (= a 1) (= b 2))) (= c 4)))
      ? true
    TRUEPREDICATE
      TRUE
      ? true
    truepredicate
      TRUE
      > TRUEPREDICATE
      ? true
    TruePredicate
      TRUE
      > TRUEPREDICATE
      ? true
    FALSEPREDICATE
      FALSE
      ? false
    falsepredicate
      FALSE
      > FALSEPREDICATE
      ? false
    NOT TRUEPREDICATE
      (not TRUE)
      ? false
    !FALSEPREDICATE
      (not FALSE)
      > NOT FALSEPREDICATE
      ? true
    TRUEPREDICATE AND FALSEPREDICATE
      (and TRUE FALSE)
      ? false
    TRUEPREDICATE OR FALSEPREDICATE
      (or TRUE FALSE)
      ? true
    (TRUEPREDICATE)
      TRUE
      > TRUEPREDICATE
      ? true
    a == 1 AND TRUEPREDICATE
      (and (= a 1) TRUE)
      ? true
    FALSEPREDICATE OR a == 1 AND TRUEPREDICATE
      (or FALSE (and (= a 1) TRUE))
      > FALSEPREDICATE OR (a == 1 AND TRUEPREDICATE)
      ? true
    TRUEPREDICATE&&a==1||!b==2
      (or (and TRUE (= a 1)) (not (= b 2)))
      > (TRUEPREDICATE AND a == 1) OR NOT b == 2
      ? true
    X == 10 AND Y == 30 AND Z == 20 OR K == 40
      (or (and (= X 10) (= Y 30) (= Z 20)) (= K 40))
      > (X == 10 AND Y == 30 AND Z == 20) OR K == 40
    ANY list > 2 AND ALL list > 0
      (and (any > list 2) (all > list 0))
      ? true
    NOT ANY list > 5
      (not (any > list 5))
      ? true
    NOT ALL list > 1
      (not (all > list 1))
      ? true
    NONE list > 5 OR a == 2
      (or (not (any > list 5)) (= a 2))
      > NOT ANY list > 5 OR a == 2
      ? true
    NOT NONE list > 5
      (not (not (any > list 5)))
      > NOT NOT ANY list > 5
      ? false
    """#
}
