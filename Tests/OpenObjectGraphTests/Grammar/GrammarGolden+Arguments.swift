extension GrammarGolden {
  /// The expected results in stores of the formats of `GrammarTables.arguments`.
  static let arguments = #"""
    a == %@ <== 1
      t0.ZA = ?
      1 7 12
    t == %@ <== s:text
      t0.ZT = ?
      1
    f == %@ <== d:2.5
      t0.ZF = ?
      1 11
    yes == %@ <== YES
      ? = ?
      all
    null == %@ <== nil
      ? IS NULL
      all
    a IN %@ <== l:1,2
      t0.ZA IN (?, ?)
      1 2 7 11 12
    a BETWEEN %@ <== l:0,1
      t0.ZA BETWEEN ? AND ?
      1 5 7 12
    list CONTAINS %@ <== 3
      memory: the transformable attribute list
      1 7 12
    list == %@ <== l:1,2,3
      memory: the transformable attribute list
      1 12
    %@ == a <== 1
      ? = t0.ZA
      1 7 12
    %@ IN list <== 2
      memory: the transformable attribute list
      1 5 10 12
    %@ + 1 == b <== 1
      ? = t0.ZB
      1 2 11
    a + %@ == 3 <== 2
      (t0.ZA + ?) = ?
      1 7 12
    {%@, %@} CONTAINS 2 <== 1 2
      ? = ? OR ? = ?
      all
    a == %d <== 1
      t0.ZA = ?
      1 7 12
    a == %i <== 1
      t0.ZA = ?
      1 7 12
    a == %u <== 1
      t0.ZA = ?
      1 7 12
    a == %ld <== 1
      t0.ZA = ?
      1 7 12
    a == %li <== 1
      t0.ZA = ?
      1 7 12
    a == %lu <== 1
      t0.ZA = ?
      1 7 12
    a == %lld <== 1
      t0.ZA = ?
      1 7 12
    a == %llu <== 1
      t0.ZA = ?
      1 7 12
    a == %hd <== 1
      t0.ZA = ?
      1 7 12
    a == %hu <== 1
      t0.ZA = ?
      1 7 12
    a == %hhd <== 1
      t0.ZA = ?
      1 7 12
    a == %qi <== 1
      t0.ZA = ?
      1 7 12
    a == %qu <== 1
      t0.ZA = ?
      1 7 12
    a == %zd <== 1
      t0.ZA = ?
      1 7 12
    a == %zu <== 1
      t0.ZA = ?
      1 7 12
    a == %jd <== 1
      t0.ZA = ?
      1 7 12
    a == %td <== 1
      t0.ZA = ?
      1 7 12
    a == %x <== 1
      t0.ZA = ?
      1 7 12
    a == %X <== 1
      t0.ZA = ?
      1 7 12
    a == %o <== 1
      t0.ZA = ?
      1 7 12
    a == %D <== 1
      t0.ZA = ?
      1 7 12
    f == %f <== d:2.5
      t0.ZF = ?
      1 11
    f == %lf <== d:2.5
      t0.ZF = ?
      1 11
    f == %Lf <== d:2.5
      t0.ZF = ?
      1 11
    f == %g <== d:2.5
      t0.ZF = ?
      1 11
    f == %e <== d:2.5
      t0.ZF = ?
      1 11
    f == %G <== d:2.5
      t0.ZF = ?
      1 11
    f == %E <== d:2.5
      t0.ZF = ?
      1 11
    f == %.2f <== d:2.5
      t0.ZF = ?
      1 11
    f == %10.3f <== d:2.5
      t0.ZF = ?
      1 11
    f == %a <== d:2.5
      t0.ZF = ?
      1 11
    a == %5d <== 1
      t0.ZA = ?
      1 7 12
    t == %s <== s:text
      t0.ZT = ?
      1
    t == %S <== s:text
      t0.ZT = ?
      1
    t == %c <== s:text
      t0.ZT = ?
      1
    t == %C <== s:text
      t0.ZT = ?
      1
    t == %p <== s:text
      t0.ZT = ?
      1
    """#
}
