import Testing

@testable import BatonPostgres

@Suite struct SQLScriptTests {
  @Test(arguments: [
    ("select 1; select 2", ["select 1", " select 2"]),
    ("select 1;", ["select 1"]), ("-- nothing; at all\n;\n /* ; */ ;", []),
    ("select ';'; select 'it''s;'", ["select ';'", " select 'it''s;'"]),
    (#"select e'\';' ; select '\'; select 3"#, [#"select e'\';' "#, #" select '\'"#, " select 3"]),
    (#"select ";" ; x"#, [#"select ";" "#, " x"]),
    ("do $$ a; b $$; c", ["do $$ a; b $$", " c"]),
    ("do $x$ a; $$ ; $y$; $x$; c", ["do $x$ a; $$ ; $y$; $x$", " c"]),
    ("select $1; select $2", ["select $1", " select $2"]),
    ("select a -- b; c\n; d", ["select a -- b; c\n", " d"]),
    ("select /* a /* b; */ ; */ 1; d", ["select /* a /* b; */ ; */ 1", " d"]),
    ("select name'; x'; y", ["select name'; x'", " y"]),
    ("select 'ü;'; ä", ["select 'ü;'", " ä"]), ("select 'open; ", ["select 'open; "]),
  ])
  func `a script is cut where a statement ends and nowhere else`(text: String, cut: [String]) {
    #expect(SQLScript(text).statements == cut)
  }
}
