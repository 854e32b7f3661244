import BatonPostgres
import TestSupport
import Testing

@testable import JobRunner

/// Tests the texts that the dashboard's role sees in place of keys and errors.
@Suite(.timeLimit(.minutes(5))) struct RedactedTests {
  private static let addresses = [
    ("no box of alice@example.com", "no box of [address]"),
    ("mail/alice@x.de", "mail/[address]"), ("order-1:alice@x.de", "order-1:[address]"),
    ("<bob.b+tag@x.co.uk> is full", "<[address]> is full"),
    ("user=alice@x.de", "user=[address]"), ("to='alice@x.de'", "to='[address]'"),
    ("O'Brien@x.ie", "[address]"), ("\"john doe\"@x.de gone", "[address] gone"),
    (#""jo\"hn@y"@x.de"#, "[address]"), ("bounce+bob=example.com@lists.de", "[address]"),
    ("jörg@müller.de", "[address]"), ("用户@例子.广告", "[address]"), ("a＠b.de", "[address]"),
    ("alice%40x.de", "[address]"), ("alice%2540x.de", "[address]"),
    ("q?mail=alice%40x.de&n=1", "q?mail=[address]&n=1"),
    ("bob@[IPv6:2001:db8::1]", "[address]"), ("bob@[192.0.2.1], and", "[address], and"),
    ("root@fe80::1", "[address]"), ("a@b@c", "[address]"),
    ("a,b@x,c@y", "a,[address],[address]"), ("alice﹫x.de", "[address]"),
    (#"{"to":"alice\u0040x.de"}"#, #"{"to":"[address]"}"#),
    ("<td>alice&#64;x.de", "<td>[address]"), ("alice&commat;x.de", "[address]"),
  ]
  private static let passwords = [
    ("postgres://u:p@h/db", "postgres://[address]/db"),
    (
      "postgresql://u:p@ss@w/or:d@h1:5432,h2:5433/db?x=1", "postgresql://[address]/db?x=1"
    ),
    (
      "cannot reach postgresql://u:p@[2001:db8::1]:5432/db now",
      "cannot reach postgresql://[address]/db now"
    ),
    ("postgresql://u%40x:p%40y@h/db", "postgresql://[address]/db"),
    (
      "postgresql://h1,h2/db?user=u&password=s3cret&sslmode=require",
      "postgresql://h1,h2/db?user=u&password=[password]&sslmode=require"
    ),
    ("host=h password=s3cret dbname=d", "host=h password=[password] dbname=d"),
    ("host = h password = 'a b' dbname = d", "host = h password = [password] dbname = d"),
    (#"password='it\'s a b' x=1"#, "password=[password] x=1"),
    (#"password=a\ b x=1"#, "password=[password] x=1"),
    ("password=p@ss:w/o x=1", "password=[password] x=1"),
    ("password = 'un closed", "password = [password]"),
    ("sslpassword=k PGPASSWORD=m", "sslpassword=[password] PGPASSWORD=[password]"),
    ("alter role x password 'a b'", "alter role x password [password]"),
    (#"{"password": "a \" b", "n": 1}"#, #"{"password": [password], "n": 1}"#),
    (#"{"token":"abc"}"#, #"{"token":[password]}"#),
    ("GET /x?key_v2=abcdef&n=1", "GET /x?key_v2=[password]&n=1"),
    ("see https://x.de/u?m=bob%40x.de&token=1", "see https://[address]&token=[password]"),
  ]
  private static let plain = [
    "password authentication failed for user \"u\"", "no password supplied", "group/12",
    "https://x.de/path?a=1", "@ home", "[address]", "", "group:12:3", "it passed", "5 tokens",
    "https://x.de:8080, then http://[::1]:5432/x", "(http://x.de:80)", "bearer token missing",
    "duplicate key value violates unique constraint \"x\"", "basic authentication failed",
    "bad credentials", "x&#65;y",
  ]

  /// Texts in which each `Zq` is a part of a password.
  private static let forms = [
    // URLs.
    "postgres://u:Zq Zq@h/db", "postgres://:Zq@h/db", "postgres://u:Zq%20Zq%40Zq@h/db",
    "postgres://u:Zq#Zq?Zq@h/db", "postgres://u:Zq\"Zq'Zq@h/db", "postgres://u:Zq@h1:1,h2:2/db",
    "'postgres://u:Zq@h/db'", "postgres://u:Zq@/db?host=/tmp", "postgres://u:Zq@",
    "postgres://u:Zq", "postgres://u:Zq/db", #""postgres:\/\/u:Zq@h\/db""#,
    "jdbc:postgresql://h/db?user=u&password=Zq", "redis://:Zq@h:6379/0", "https://Zq@h",
    "postgres%3A%2F%2Fu%3AZq%40h%2Fdb",
    // Queries.
    "postgres://h/db?password=Zq%20Zq&x=1", "postgres://h/db?passwor%64=Zq",
    "postgres://h/db?PASSWORD=Zq;Zq,Zq#Zq", "postgres://h/db?password=Zq'Zq\"Zq x",
    "postgres://h/db?sslpassword=Zq", "http://h/#access_token=Zq", "http://h/?a=1&sig=Zq&key=Zq",
    // Keywords and values.
    "host=h password=Zq&Zq,Zq;Zq x", "host=h password=Zq'Zq x", "host=h password=Zq\"Zq x",
    #"host=h password='Zq\'Zq Zq''Zq' x"#, #"host=h password='Zq\\' x"#, "password='Zq'Zq x",
    #"host=h password=Zq\ Zq\'Zq x"#, #"password=\Zq"#, "password=&Zq", "host=h\npassword\n=\nZq",
    "password=(Zq)", "password=[Zq]", "password=<Zq>", "password\u{A0}=\u{A0}Zq", "password：Zq",
    "Password=Zq;Server=h", "Pwd='Zq;Zq';Server=h", "password=\"Zq\"\"Zq\" x", "password = \"Zq",
    "missing \"=\" after \"Zq Zq\" in connection info string",
    // Shells, environments and password files.
    "PGPASSWORD=Zq psql", "PGPASSWORD='Zq Zq' psql", "PGPASSWORD=\"Zq Zq\" psql",
    #"PGPASSWORD=Zq\ Zq psql"#, "PGPASSWORD=Zq'Zq Zq'Zq psql", #"PGPASSWORD=$'Zq\'Zq' psql"#,
    "PGPASSWORD: \"Zq\"", "h:5432:db:u:Zq", "*:*:*:u:Zq:Zq", "--password Zq", "--db-token=Zq",
    "AWS_SECRET_ACCESS_KEY=Zq", "user_pass=Zq", "bindpw=Zq", "credentials=u:Zq", "pass: Zq",
    "pw=Zq", "kennwort=Zq",
    // SQL and other languages.
    "alter role x encrypted password 'Zq''Zq'", #"alter role x password E'Zq\'Zq'"#,
    "alter role x password U&'Zq'", "alter role x password $$Zq$$", "role x password $a$Zq Zq$a$",
    "password => 'Zq Zq'", "password := 'Zq'", "password == Zq", "password->Zq", "password `Zq`",
    #"{"password": "Zq\"Zq"}"#, #"{\"password\": \"Zq Zq\"}"#, "{'pass': 'Zq'}",
    "{\"apiKey\": \"Zq\"}", "password[0]=Zq", "password_1: Zq", "secretKey=Zq", "token_hash: Zq",
    "<password>Zq</password>", "<add key=\"password\" value=\"Zq Zq\"/>",
    // Headers.
    "Authorization: Bearer Zq.Zq", "Authorization: Basic Zq==", "sent bearer Zq345678",
    "Cookie: a=Zq; b=Zq",
  ]

  private func redacted(_ texts: [String]) async throws -> [String] {
    try await TestSchema.with { test in
      let connection = try await test.connect()
      let call = Call.rows(
        Statement(
          "test/redacted",
          "select redacted(t) from unnest($1::text[]) with ordinality o (t, n) order by n"), texts
      ) { (row) throws(PostgresError) in try row.decode(String.self) }
      let found = try await Session(connection, in: test.schema).atomically(call)
      await connection.close()
      return found
    }
  }

  @Test func `addresses and passwords are hidden completely, and other texts are not changed`()
    async throws
  {
    let cases = Self.addresses + Self.passwords + Self.plain.map { ($0, $0) }
    #expect(try await redacted(cases.map(\.0)) == cases.map(\.1))
  }

  /// The text before the first placeholder stays unchanged, so that it can be searched.
  @Test func `no part of a password is left, and the text before the password is not changed`()
    async throws
  {
    let found = try await redacted(Self.forms)
    for (form, text) in zip(Self.forms, found) {
      #expect(!text.contains("Zq"), "\(form): \(text)")
      #expect(form.hasPrefix(text.prefix { $0 != "[" }), "\(form): \(text)")
    }
    #expect(try await redacted(found) == found)
  }

  @Test func `a text that is cut before it is shown does not end with a part of an address`()
    async throws
  {
    try await NoteQueue.with { queue in
      let error = String(repeating: "x", count: 490) + " ann.the.second@example.org"
      try await queue.test.sql(
        """
        insert into dead_run (id, job, key, attempt, error) values (1, 'note', 'k', 1, '\(error)')
        """)
      let shown = try #require(try await queue.queue.runs(RunFilter(.dead)).runs.first?.error)
      #expect(shown == String(error.prefix(491)) + "[address]")
      try await queue.test.sql(
        "update dead_run set error = repeat('y', 190) || ' ann.the.second@x.de'")
      let groups = try await queue.queue.deadGroups().groups
      #expect(groups.map(\.error) == [String(repeating: "y", count: 190) + " [address]"])
    }
  }

  /// A long password before the address is shortened, so the place of the cut is shown.
  @Test(arguments: [600, 2000])
  func `a text that is cut before it is redacted does not end with a part of an address`(
    length: Int
  ) async throws {
    try await NoteQueue.with { queue in
      let error =
        "password='\(String(repeating: "y", count: length - 25))' to ann.the.second@example.org"
      try await queue.test.sql(
        """
        insert into dead_run (id, job, key, attempt, error)
        values (1, 'note', 'k', 1, $$\(error)$$)
        """)
      try await queue.test.sql(
        """
        insert into failed_attempt (run_id, job, key, attempt, ended_at, error)
        values (1, 'note', 'k', 1, now(), left($$\(error)$$, 2000))
        """)
      let shown = try #require(try await queue.queue.runs(RunFilter(.dead)).runs.first?.error)
      #expect(shown.hasPrefix("password=[password]") && !shown.contains("ann"))
      let groups = try await queue.queue.deadGroups().groups
      #expect(groups.allSatisfy { !$0.error.contains("ann") })
      let life = try #require(try await queue.queue.life(of: 1, job: "note", key: "k"))
      #expect(life.attempts.count == 1)
      #expect(life.attempts.allSatisfy { $0.error?.contains("ann") == false })
    }
  }

  @Test func `a cut removes the incomplete last word, but not all of a text without blanks`()
    async throws
  {
    try await TestSchema.with { test in
      let cuts = try await test.sql(
        """
        select length(whole_words(repeat('ab ', 300), 600)),
          length(whole_words(repeat('ab ', 300), 601)),
          length(whole_words(repeat('x', 900), 600)), length(whole_words(repeat('x', 600), 600)),
          whole_words('', 600) = '', whole_words(null, 600) is null
        """)
      #expect(cuts == ["600,600,344,600,t,t"])
    }
  }
}
