import BatonPostgres
import TestSupport
import Testing

/// Tests several calls in one round trip: which calls run, which do not run, and which errors are
/// reported.
struct PipelineTests {
  @Test func `calls behind an error do not run, and the error names its statement`() async throws {
    try await withSchemas { connection, schema, _ in
      try await connection.script(Statement("test/t", "create table \(schema.name).t (a int)"))
      let error = await #expect(throws: PostgresError.self) {
        try await connection.pipeline(
          .execute("insert into \(schema.name).t values (1)"),
          .run(Statement("test/culprit", "select 1 / 0")),
          .execute("insert into \(schema.name).t values (2)"))
      }
      #expect(error?.sqlState == "22012")
      #expect(error?.statement == "test/culprit")
      #expect(error?.description.contains("(in test/culprit)") == true)
      let count = try await connection.run(
        .value("select count(*) from \(schema.name).t", as: Int64.self))
      #expect(count == 0)
    }
  }

  @Test(arguments: ["copy (select 1) to stdout", "copy t from stdin"])
  func `COPY over the connection fails at once, in a call and in a script`(text: String)
    async throws
  {
    let copy = Statement("test/copy", text)
    for isScript in [false, true] {
      try await withConnection { connection in
        try await connection.script(Statement("test/t", "create temporary table t (a int)"))
        try await expectTime(below: .seconds(1) * patience, "a refused COPY") { () async throws in
          let error = await #expect(throws: PostgresError.self) {
            if isScript {
              try await connection.script(copy)
            } else {
              try await connection.pipeline(.run(copy), .execute("select 1"))
            }
          }
          #expect(error?.sqlState == .featureNotSupported && error?.statement == "test/copy")
        }
        #expect(connection.isBroken)
      }
    }
  }

  @Test(arguments: ["calls", "list", "deferred"])
  func `large calls after a slow call do not lose the connection`(kind: String) async throws {
    try await LoopbackLogin.make()
    // The kernel closes a connection whose server does not read for this time.
    let address = LoopbackLogin.address(port: try TestServer.loopbackPort) + "?tcp_user_timeout=500"
    let connection = try await Connection.open(ConnectionConfiguration(address: address))
    let slow = Call<Void>.execute("select pg_sleep(2)")
    let large = String(repeating: "x", count: 1_000_000)
    let length = Call.value("select length($1::text)", large, as: Int32.self)
    let lengths: [Int32]
    switch kind {
    case "calls": lengths = [try await connection.pipeline(slow, length).1]
    case "list":
      let text = "select length($1::text) from pg_sleep(case $1::text when 'x' then 2 else 0 end)"
      let calls = ["x", large, large].map { Call.value(text, $0, as: Int32.self) }
      lengths = Array(try await connection.pipeline(calls).dropFirst())
    default:
      let session = Session(connection, in: .standard)
      lengths = [try await session.transaction(deferring: [slow]) { try await $0.run(length) }]
    }
    #expect(lengths.allSatisfy { $0 == 1_000_000 } && !lengths.isEmpty)
    await connection.close()
  }

  @Test func `large calls of one round trip are one transaction`() async throws {
    try await withSchemas { connection, schema, _ in
      try await connection.script(Statement("test/t", "create table \(schema.name).t (a text)"))
      let count = Call.value("select count(*) from \(schema.name).t", as: Int64.self)
      let insert = Call<Void>.execute(
        "insert into \(schema.name).t values ($1)", String(repeating: "x", count: 40_000))
      let error = await #expect(throws: PostgresError.self) {
        try await connection.pipeline(
          insert, .run(Statement("test/culprit", "select 1 / 0")), insert)
      }
      #expect(error?.sqlState == "22012" && error?.statement == "test/culprit")
      #expect(try await connection.run(count) == 0)
      try await connection.pipeline(insert, insert)
      #expect(try await connection.run(count) == 2)
    }
  }

  @Test func `an error that appears only at the commit of a pipeline is thrown`() async throws {
    try await withSchemas { connection, schema, _ in
      try await connection.script(
        Statement(
          "test/t",
          "create table \(schema.name).t (a int unique deferrable initially deferred)"))
      let insert = "insert into \(schema.name).t values (1)"
      let error = await #expect(throws: PostgresError.self) {
        try await connection.pipeline(.execute(insert), .execute(insert))
      }
      #expect(error?.sqlState == .uniqueViolation)
      #expect(error?.constraint != nil)
      #expect(try await connection.run(.value("select 1", as: Int32.self)) == 1)
    }
  }

  @Test func `hundreds of calls of one kind answer in order, a hundred a round trip`()
    async throws
  {
    try await withConnection { connection in
      let before = await connection.roundTrips
      let numbers = (0..<250).map { Int32($0) }
      let answers = try await connection.pipeline(
        numbers.map { Call.value("select $1::integer", $0, as: Int32.self) })
      #expect(answers == numbers)
      #expect(await connection.roundTrips - before == 3)
      #expect(try await connection.pipeline([Call<Int32>]()) == [])
    }
  }

  @Test func `an error among hundreds of calls is thrown and the connection goes on`()
    async throws
  {
    try await withConnection { connection in
      let error = await #expect(throws: PostgresError.self) {
        try await connection.pipeline(
          (0..<250).map { Call.value("select 10 / ($1::integer - 150)", Int32($0), as: Int32.self) }
        )
      }
      #expect(error?.sqlState == "22012")
      let seven = try await connection.run(.value("select 7", as: Int32.self))
      #expect(seven == 7)
    }
  }

  @Test func `large calls and large answers do not wait for each other`() async throws {
    let text = String(repeating: "x", count: 200_000)
    try await withConnection { connection in
      let lengths = try await connection.pipeline(
        (0..<100).map { _ in Call.value("select $1::text", text, as: String.self) })
      #expect(lengths.allSatisfy { $0.utf8.count == 200_000 })
    }
  }

  @Test func `one statement may be in a pipeline twice, also before it was ever prepared`()
    async throws
  {
    try await withConnection { connection in
      let (one, two) = try await connection.pipeline(
        .value("select $1::integer * 2", Int32(1), as: Int32.self),
        .value("select $1::integer * 2", Int32(2), as: Int32.self))
      #expect(one == 2)
      #expect(two == 4)
      let prepared = try await connection.run(
        .value(
          "select count(*) from pg_prepared_statements where name like 'test/%* 2'", as: Int64.self)
      )
      #expect(prepared == 1)
    }
  }

  @Test func `two statements of one name answer each for itself`() async throws {
    func answer(_ text: String) -> Call<Int32> {
      .row(Statement("test/answer", text)) { (row) throws(PostgresError) in
        try row.decode(Int32.self)
      }
    }
    let name = "test/" + String(repeating: "long name ", count: 8)
    func long(_ number: Int) -> Call<Int32> {
      .row(Statement(name + "\(number)", "select \(number)")) { (row) throws(PostgresError) in
        try row.decode(Int32.self)
      }
    }
    try await withConnection { connection in
      let (one, two) = try await connection.pipeline(answer("select 1"), answer("select 2"))
      #expect([one, two] == [1, 2])
      let again = try await connection.pipeline(answer("select 2"), answer("select 1"))
      #expect(again == (2, 1))
      // The server uses only 63 bytes of a name.
      let three = try await connection.run(long(3))
      let four = try await connection.run(long(4))
      #expect([three, four] == [3, 4])
    }
  }

  @Test func `a statement that could not be prepared is prepared when it is tried again`()
    async throws
  {
    try await withSchemas { connection, schema, _ in
      let read = Call.value("select a from \(schema.name).late", as: Int32.self)
      let good = Call.value("select 41 + 1", as: Int32.self)
      let error = await #expect(throws: PostgresError.self) {
        try await connection.pipeline(read, good)
      }
      #expect(error?.sqlState == .undefinedTable)
      #expect(error?.statement == read.statement.name)
      try await connection.script(
        Statement("test/late", "create table \(schema.name).late as select 5 as a"))
      let (five, answer) = try await connection.pipeline(read, good)
      #expect(five == 5)
      #expect(answer == 42)
    }
  }

  @Test func `a statement that fails while running stays prepared`() async throws {
    try await withConnection { connection in
      let divide = "select 10 / $1::integer"
      await expectSQLState("22012") {
        try await connection.run(.value(divide, Int32(0), as: Int32.self))
      }
      let two = try await connection.run(.value(divide, Int32(5), as: Int32.self))
      #expect(two == 2)
    }
  }

  @Test func `rows affected are counted, and selected ones are in order`() async throws {
    let read = Call.rows(Statement("test/read", "select a from t order by a desc")) {
      (row) throws(PostgresError) in try row.decode(Int32.self)
    }
    try await withSchemas { connection, schema, _ in
      let (_, inserted, rows, deleted) = try await connection.atomically(
        in: schema,
        .execute("create table t (a int)"),
        .count(Statement("test/fill", "insert into t select generate_series(1, 1000)")),
        read,
        .count(Statement("test/empty", "delete from t where a > 990")))
      #expect(inserted == 1000)
      #expect(rows == Array((1...1000).reversed()))
      #expect(deleted == 10)
    }
  }
}
