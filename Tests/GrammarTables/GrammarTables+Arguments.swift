extension GrammarTables {
  /// Formats of specifiers with their arguments.
  package static let arguments = #"""
    a == %@ <== 1
      (= a %0)
      > a == 1
      ? true
    t == %@ <== s:text
      (= t %0)
      > t == "text"
      ? true
    f == %@ <== d:2.5
      (= f %0)
      > f == 2.5
      ? true
    yes == %@ <== YES
      (= YES %0)
      > 1 == 1
      ? true
    null == %@ <== nil
      (= nil %0)
      > nil == nil
      ? true
    a IN %@ <== l:1,2
      (in a %0)
      > a IN {1, 2}
      ? true
    a BETWEEN %@ <== l:0,1
      (between a %0)
      > a BETWEEN {0, 1}
      ? true
    list CONTAINS %@ <== 3
      (contains list %0)
      > list CONTAINS 3
      ? true
    list == %@ <== l:1,2,3
      (= list %0)
      > list == {1, 2, 3}
      ? true
    %@ == a <== 1
      (= %0 a)
      > 1 == a
      ? true
    %@ IN list <== 2
      (in %0 list)
      > 2 IN list
      ? true
    %@ + 1 == b <== 1
      (= (add:to: %0 1) b)
      > 1 + 1 == b
      ? true
    a + %@ == 3 <== 2
      (= (add:to: a %0) 3)
      > a + 2 == 3
      ? true
    {%@, %@} CONTAINS 2 <== 1 2
      (contains {%0 %1} 2)
      > {1, 2} CONTAINS 2
      ? true
    a == %d <== 1
      (= a %0)
      > a == 1
      ? true
    a == %i <== 1
      (= a %0)
      > a == 1
      ? true
    a == %u <== 1
      (= a %0)
      > a == 1
      ? true
    a == %ld <== 1
      (= a %0)
      > a == 1
      ? true
    a == %li <== 1
      (= a %0)
      > a == 1
      ? true
    a == %lu <== 1
      (= a %0)
      > a == 1
      ? true
    a == %lld <== 1
      (= a %0)
      > a == 1
      ? true
    a == %llu <== 1
      (= a %0)
      > a == 1
      ? true
    a == %hd <== 1
      (= a %0)
      > a == 1
      ? true
    a == %hu <== 1
      (= a %0)
      > a == 1
      ? true
    a == %hhd <== 1
      (= a %0)
      > a == 1
      ? true
    a == %qi <== 1
      (= a %0)
      > a == 1
      ? true
    a == %qu <== 1
      (= a %0)
      > a == 1
      ? true
    a == %zd <== 1
      (= a %0)
      > a == 1
      ? true
    a == %zu <== 1
      (= a %0)
      > a == 1
      ? true
    a == %jd <== 1
      (= a %0)
      > a == 1
      ? true
    a == %td <== 1
      (= a %0)
      > a == 1
      ? true
    a == %x <== 1
      (= a %0)
      > a == 1
      ? true
    a == %X <== 1
      (= a %0)
      > a == 1
      ? true
    a == %o <== 1
      (= a %0)
      > a == 1
      ? true
    a == %D <== 1
      (= a %0)
      > a == 1
      ? true
    f == %f <== d:2.5
      (= f %0)
      > f == 2.5
      ? true
    f == %lf <== d:2.5
      (= f %0)
      > f == 2.5
      ? true
    f == %Lf <== d:2.5
      (= f %0)
      > f == 2.5
      ? true
    f == %g <== d:2.5
      (= f %0)
      > f == 2.5
      ? true
    f == %e <== d:2.5
      (= f %0)
      > f == 2.5
      ? true
    f == %G <== d:2.5
      (= f %0)
      > f == 2.5
      ? true
    f == %E <== d:2.5
      (= f %0)
      > f == 2.5
      ? true
    f == %.2f <== d:2.5
      (= f %0)
      > f == 2.5
      ? true
    f == %10.3f <== d:2.5
      (= f %0)
      > f == 2.5
      ? true
    f == %a <== d:2.5
      (= f %0)
      > f == 2.5
      ? true
    a == %5d <== 1
      (= a %0)
      > a == 1
      ? true
    t == %s <== s:text
      (= t %0)
      > t == "text"
      ? true
    t == %S <== s:text
      (= t %0)
      > t == "text"
      ? true
    t == %c <== s:text
      (= t %0)
      > t == "text"
      ? true
    t == %C <== s:text
      (= t %0)
      > t == "text"
      ? true
    t == %p <== s:text
      (= t %0)
      > t == "text"
      ? true
    """#
}
