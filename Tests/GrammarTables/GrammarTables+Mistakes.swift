extension GrammarTables {
  /// Formats that are wrong, each with the code and the column of its error.
  package static let mistakes = #"""
    a ==> unexpectedEnd 2
    a == ==> unexpectedEnd 5
    == 1 ==> unexpectedToken 1
    a b ==> unexpectedToken 3
    a == 1 b ==> unexpectedToken 8
    a == 1 AND ==> unexpectedEnd 11
    a == 1 OR ==> unexpectedEnd 10
    AND a == 1 ==> unexpectedToken 1
    NOT ==> unexpectedEnd 4
    NOT a ==> unexpectedEnd 6
    ! ==> unexpectedEnd 2
    != 1 ==> unexpectedToken 1
    a AND b == 1 ==> unexpectedToken 3
    a == 1 AND b ==> unexpectedEnd 13
    (a == 1 ==> unexpectedEnd 8
    a == 1) ==> unexpectedToken 7
    () ==> unexpectedToken 2
    (a ==> unexpectedEnd 3
    (a == 1) == 1 ==> unexpectedToken 1
    a == (b == 1) ==> unexpectedToken 6
    a == b == c ==> unexpectedToken 1
    (a == 1).b == 2 ==> unexpectedToken 1
    (a == 1)[0] == 2 ==> unexpectedToken 1
    -(a == 1) == 1 ==> unexpectedToken 2
    {a == 1} == 1 ==> unexpectedToken 4
    abs:(a == 1) == 1 ==> unexpectedToken 8
    ANY ==> unexpectedEnd 4
    ANY a ==> unexpectedEnd 6
    ANY (a == 1) ==> unexpectedToken 5
    ANY ANY a == 1 ==> unexpectedToken 5
    ANY TRUEPREDICATE ==> unexpectedToken 5
    TRUEPREDICATE == 1 ==> unexpectedToken 1
    YES ==> unexpectedEnd 4
    nil ==> unexpectedEnd 4
    "text" ==> unexpectedEnd 7
    SELF ==> unexpectedEnd 5
    a = = 1 ==> unexpectedToken 5
    a === 1 ==> unexpectedToken 5
    a & b ==> unexpectedEnd 6
    a &&  ==> unexpectedToken 3
    a | b ==> unexpectedEnd 6
    a : b ==> unexpectedCharacter 3
    a := 1 ==> unexpectedToken 3
    a == ^1 ==> unexpectedToken 6
    a == ~ ==> unexpectedEnd 7
    a & (b == 1) == 0 ==> unexpectedToken 5
    a <<< b == 1 ==> unexpectedToken 5
    a ? 1 ==> unexpectedCharacter 3
    a ; b ==> unexpectedCharacter 3
    a == 1; ==> unexpectedCharacter 7
    a == `b` ==> unexpectedCharacter 6
    a == b\c ==> unexpectedCharacter 7
    a == € ==> unexpectedCharacter 6
    a == 😀 ==> unexpectedCharacter 6
    a + == 1 ==> unexpectedToken 5
    a == 1 + ==> unexpectedEnd 9
    a == * 1 ==> unexpectedToken 6
    a ** == 1 ==> unexpectedToken 6
    a % 2 == 0 ==> unknownSpecifier 3
    a %% 2 == 0 ==> unexpectedToken 3
    a == 1x ==> invalidNumber 6
    a == 1_000 ==> invalidNumber 6
    a == 0x ==> invalidNumber 6
    a == 0xG ==> invalidNumber 6
    a == 0b2 ==> invalidNumber 6
    a == 0o8 ==> invalidNumber 6
    a == 0x1FFFFFFFFFFFFFFFF ==> invalidNumber 6
    a == 1e ==> invalidNumber 6
    a == 1e+ ==> invalidNumber 6
    a == 1.5e ==> invalidNumber 6
    a == .5 ==> unexpectedToken 6
    a == 1. ==> unexpectedEnd 8
    a == 1.5.5 ==> unexpectedToken 10
    a == 'x ==> unterminatedString 6
    a == "x ==> unterminatedString 6
    a == 'x" ==> unterminatedString 6
    a == "x\" ==> unterminatedString 6
    a. ==> unexpectedEnd 3
    .a == 1 ==> unexpectedToken 1
    a..b == 1 ==> unexpectedToken 3
    a.1 == 1 ==> unexpectedToken 3
    a.@ == 1 ==> unexpectedCharacter 4
    a.@foo == 1 ==> unknownCollectionOperator 3
    @foo == 1 ==> unknownCollectionOperator 1
    a.$x == 1 ==> unexpectedToken 3
    a.(b) == 1 ==> unexpectedToken 3
    # ==> unexpectedEnd 2
    # a == 1 ==> unexpectedCharacter 2
    #1 == 1 ==> unexpectedCharacter 2
    $ ==> unexpectedEnd 2
    $ x == 1 ==> unexpectedCharacter 2
    $1 == 1 ==> unexpectedCharacter 2
    $x := == 1 ==> unexpectedToken 7
    $x = : 1 ==> unexpectedCharacter 6
    size == 1 ==> unexpectedToken 1
    first == 1 ==> unexpectedToken 1
    in == 1 ==> unexpectedToken 1
    and == 1 ==> unexpectedToken 1
    like == 1 ==> unexpectedToken 1
    a == CI ==> unexpectedToken 6
    a == size ==> unexpectedToken 6
    a IN ==> unexpectedEnd 5
    a IN (1, 2) ==> unexpectedToken 8
    a IN {1, 2 ==> unexpectedEnd 11
    a IN {1 2} ==> unexpectedToken 9
    a IN {1,} ==> unexpectedToken 9
    a IN {,1} ==> unexpectedToken 7
    a IN {1,,2} ==> unexpectedToken 9
    a == {1}} ==> unexpectedToken 9
    list[ == 1 ==> unexpectedToken 7
    list[0 == 1 ==> unexpectedToken 8
    list[] == 1 ==> unexpectedToken 6
    list] == 1 ==> unexpectedToken 5
    list[0]] == 1 ==> unexpectedToken 8
    a CONTAINS[x] 'b' ==> unexpectedToken 12
    a CONTAINS[c 'b' ==> unexpectedToken 14
    a CONTAINS[c, d] 'b' ==> unexpectedToken 13
    a CONTAINS[c1] 'b' ==> unexpectedToken 12
    a CONTAINS['c'] 'b' ==> unexpectedToken 12
    a CONTAINS ==> unexpectedEnd 11
    a BEGINSWITH[cd] ==> unexpectedEnd 17
    a NOT IN {1} ==> unexpectedToken 3
    a NOT CONTAINS 'x' ==> unexpectedToken 3
    a IS nil ==> unexpectedToken 3
    a MATCHES '[' ==> invalidRegularExpression 11
    a MATCHES 'a)(b' ==> invalidRegularExpression 11
    a MATCHES '(?<x' ==> invalidRegularExpression 11
    a MATCHES '*' ==> invalidRegularExpression 11
    a UTI-CONFORMS-TO 'public.image' ==> unsupportedSyntax 3
    a UTI-EQUALS 'public.image' ==> unsupportedSyntax 3
    a uti-equals 'x' ==> unsupportedSyntax 3
    a UTI 'x' ==> unexpectedToken 3
    a @ b ==> unexpectedCharacter 4
    a @sel: ==> unexpectedEnd 8
    frobnicate(1) == 1 ==> unknownFunction 1
    frobnicate:(1) == 1 ==> unknownFunction 1
    a.frobnicate() == 1 ==> unknownFunction 3
    size:(a) == 1 ==> unknownFunction 1
    add:to:(1) == 1 ==> wrongOperandCount 1
    add:to:(1, 2, 3) == 1 ==> wrongOperandCount 1
    now(1) == 1 ==> wrongOperandCount 1
    abs:() == 1 ==> wrongOperandCount 1
    abs:(1, 2) == 1 ==> wrongOperandCount 1
    sum:() == 0 ==> wrongOperandCount 1
    abs:(1 == 1 ==> unexpectedToken 8
    abs:(1,) == 1 ==> unexpectedToken 8
    abs:1 == 1 ==> unexpectedCharacter 4
    add:to(1, 2) == 3 ==> unexpectedCharacter 4
    FUNCTION() == 1 ==> wrongOperandCount 1
    FUNCTION(a) == 1 ==> wrongOperandCount 1
    FUNCTION(a, b) == 1 ==> wrongOperandCount 1
    FUNCTION(a, 1) == 1 ==> wrongOperandCount 1
    FUNCTION(a, "") == 1 ==> wrongOperandCount 1
    FUNCTION a ==> unexpectedToken 10
    SUBQUERY ==> unexpectedEnd 9
    SUBQUERY(a) == 1 ==> unexpectedToken 11
    SUBQUERY(a, b, c == 1) == 1 ==> unexpectedToken 13
    SUBQUERY(a, $x) == 1 ==> unexpectedToken 15
    SUBQUERY(a, $x, $x) == 1 ==> unexpectedToken 19
    SUBQUERY(a, $x, $x == 1 == 1 ==> unexpectedToken 17
    SUBQUERY(a, $x, $x == 1, 2) == 1 ==> unexpectedToken 24
    CAST(a) == 1 ==> unexpectedToken 7
    CAST(a, NSDate) == 1 ==> unexpectedToken 9
    CAST(a, %@) == 1 <== s:NSDate ==> unexpectedToken 9
    CAST a ==> unexpectedToken 6
    TERNARY(a, 1, 2) == 1 ==> unexpectedToken 10
    TERNARY(a == 1, 2) == 1 ==> unexpectedToken 18
    TERNARY(a == 1, 1, 2, 3) == 1 ==> unexpectedToken 21
    TERNARY(a == 1, b == 1, 2) == 1 ==> unexpectedToken 19
    FETCH() == 1 ==> wrongOperandCount 1
    FETCH(a, b) == 1 ==> wrongOperandCount 1
    FETCH(a, b, c, d) == 1 ==> wrongOperandCount 1
    ANYKEY. ==> unexpectedEnd 8
    a UNION == b ==> unexpectedToken 9
    UNION a == b ==> unexpectedToken 1
    a == % ==> unexpectedEnd 6
    a == %y ==> unknownSpecifier 6
    a == %-5d ==> unknownSpecifier 6
    a == %1$@ ==> unknownSpecifier 6
    a == %@ ==> missingArgument 6
    a == %@ AND b == %d <== 1 ==> missingArgument 18
    %K == 1 ==> missingArgument 1
    %K == 1 <== 5 ==> unsuitableArgument 1
    %K == 1 <== s:a..b ==> invalidKeyPath 1
    %K == 1 <== s:.a ==> invalidKeyPath 1
    %K == 1 <== s:a. ==> invalidKeyPath 1
    %K == 1 <== s:@foo ==> unknownCollectionOperator 1
    %K == 1 <== s:a.@foo.b ==> unknownCollectionOperator 1
    a == 1 <== 1 ==> extraArgument 0
    a == %@ <== 1 2 ==> extraArgument 0
    a.%@ == 1 <== s:b ==> unexpectedToken 3
    '%K' == 1 <== s:a ==> extraArgument 0
    a==1AND b==2 ==> invalidNumber 4
    NOW() > when ==> unknownFunction 1
    ANYKEY ==> unexpectedEnd 7
    FETCH(a, b, c) ==> unexpectedEnd 15
    a @"sel ==> unterminatedString 4
    $"x == 1 ==> unterminatedString 2
    TERNARY(TRUEPREDICATE, 1, 2) ==> unexpectedEnd 29
    a == nil. ==> unexpectedEnd 10
    a == NO NO ==> unexpectedToken 9
    """#
}
