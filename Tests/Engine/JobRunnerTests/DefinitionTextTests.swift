import Testing

@testable import JobRunner

/// Which printed definitions count as equal.
@Suite struct DefinitionTextTests {
  @Test(arguments: [
    (
      "CHECK ((((a >= 1) AND (a <= 9)) AND (b = 2)))", "CHECK (((a >= 1) AND (a <= 9) AND (b = 2)))"
    ),
    (
      "CHECK (((b = 2) AND ((a >= 1) AND (a <= 9))))", "CHECK (((b = 2) AND (a >= 1) AND (a <= 9)))"
    ),
    ("WHEN (((((a) OR (b)) OR (c)) OR (d)))", "WHEN (((a) OR (b) OR (c) OR (d)))"),
    ("((((a AND b) OR c) OR (d AND (e AND f))))", "(((a AND b) OR c OR (d AND e AND f)))"),
    ("(((a = ' AND (''x') AND b) AND c)", "((a = ' AND (''x') AND b AND c)"),
    ("(((\"x AND (\" > 1) AND b) AND c)", "((\"x AND (\" > 1) AND b AND c)"),
  ])
  func `a list in a list of the same kind is not a difference`(_ one: String, _ other: String) {
    #expect(!DefinitionText.differ(one, other))
  }

  @Test(arguments: [
    ("((a AND b) OR c)", "(a AND (b OR c))"), ("((a OR b) AND c)", "(a OR b AND c)"),
    ("((a AND b) AND c)", "((a AND b) OR c)"), ("((a AND b) AND c)", "(a AND b)"),
    ("(NOT (a AND b) AND c)", "(NOT a AND b AND c)"), ("(f(a AND b) AND c)", "(fa AND b AND c)"),
    ("(NOT (a AND b) AND c)", "((NOT a) AND b AND c)"),
    ("(a = '(b AND c) AND d')", "(a = 'b AND c AND d')"),
    ("(\"(b AND c) AND d\" > 1)", "(\"b AND c AND d\" > 1)"), ("((a) AND (b))", "(a AND b)"),
    ("(a - (b - c))", "(a - b - c)"), ("(a AND b", "(a AND b)"), ("a) AND b", "a) AND c"),
  ])
  func `every other change is a difference`(_ one: String, _ other: String) {
    #expect(DefinitionText.differ(one, other))
  }

  @Test func `an object that only one side has is a difference`() {
    #expect(DefinitionText.differ(nil, "") && DefinitionText.differ("a", nil))
    #expect(!DefinitionText.differ(nil, nil) && !DefinitionText.differ("a", "a"))
  }
}
