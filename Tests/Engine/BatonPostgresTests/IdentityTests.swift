import BatonPostgres
import TestSupport
import Testing

/// Tests transactions that act as a user.
///
/// The identity lasts only for the transaction, and requires no additional round trip.
@Suite(.timeLimit(.minutes(5))) struct IdentityTests {
  private struct Stop: Error {}

  /// Calls the body with a superuser's connection to the server for tests of roles, and with a new
  /// role for the test.
  private func with(_ body: (Connection, Schema, String) async throws -> Void) async throws {
    let role = RoleServer.name("somebody")
    let schema = try #require(Schema(RoleServer.name("place")))
    try await RoleServer.administer(
      "create role \(role)", "create schema \(schema); create table \(schema).t (a text)",
      "grant usage on schema \(schema) to \(role); grant select, insert on \(schema).t to \(role)")
    let connection = try await RoleServer.connect()
    let result: Result<Void, any Error>
    do { result = .success(try await body(connection, schema, role)) } catch {
      result = .failure(error)
    }
    await connection.close()
    try result.get()
  }

  private static let state = Call<String>.value(
    """
    select concat_ws(',', current_user, current_setting('role'),
      coalesce(current_setting('baton.claim', true), 'unset'),
      coalesce(current_setting('request.jwt.claims', true), 'unset'))
    """)

  private func text(_ query: String, _ session: Session) async throws -> String {
    let call: Call<String> = .value(query)
    return try await session.atomically(call)
  }

  private static let claim = "select current_setting('baton.claim')"

  @Test func `a transaction has its role and its claim, and the next one has neither`() async throws
  {
    try await with { connection, schema, role in
      let session = Session(connection, in: schema)
      #expect(try await session.atomically(Self.state) == "postgres,none,unset,unset")
      let signed = Identity(role: role) { _ in .signed("s") }
      #expect(try await session.acting(as: signed).atomically(Self.state) == "\(role),\(role),s,")
      #expect(try await session.atomically(Self.state) == "postgres,none,,")
      let unsigned = Identity(role: role) { _ in .unsigned("{}") }
      let both = try await session.acting(as: unsigned).transaction { transaction in
        let first = try await transaction.run(Self.state)
        return [first, try await transaction.run(Self.state)]
      }
      #expect(both == Array(repeating: "\(role),\(role),,{}", count: 2))
      let one = try await connection.transaction(in: schema, as: unsigned) { transaction in
        try await transaction.run(Self.state)
      }
      #expect(one == both[0])
      let free = session.acting(as: unsigned).freely
      #expect(try await free.atomically(Self.state) == "\(role),\(role),,{}")
      #expect(try await session.atomically(Self.state) == "postgres,none,,")
    }
  }

  @Test func `it costs no round trip`() async throws {
    try await with { connection, schema, role in
      let session = Session(connection, in: schema).acting(as: Identity(role: role) { _ in .none })
      for calls in 1...3 {
        let before = await connection.roundTrips
        try await session.atomically(Self.state)
        #expect(await connection.roundTrips == before + 1)
        try await session.transaction { transaction in
          for _ in 0..<calls { try await transaction.run(Self.state) }
        }
        #expect(await connection.roundTrips == before + 1 + calls + 1)
      }
    }
  }

  @Test func `no end of a transaction leaves it behind, nor does one that never began`()
    async throws
  {
    try await with { connection, schema, role in
      let session = Session(connection, in: schema)
      let somebody = session.acting(as: Identity(role: role) { _ in .signed("s") })
      try await somebody.atomically(Self.state)
      let plain = "postgres,none,,"
      await #expect(throws: Stop.self) { try await somebody.transaction { _ in throw Stop() } }
      #expect(try await session.atomically(Self.state) == plain)
      await #expect(throws: Stop.self) {
        try await somebody.transaction { transaction in
          try await transaction.run(Self.state)
          throw Stop()
        }
      }
      #expect(try await session.atomically(Self.state) == plain)
      await expectSQLState("22012") {
        try await somebody.atomically(.execute("select 1 / 0"))
      }
      #expect(try await session.atomically(Self.state) == plain)
      await expectSQLState("42501") {
        try await somebody.atomically(.execute("delete from t"))
      }
      #expect(try await session.atomically(Self.state) == plain)
      try await somebody.transaction { transaction in
        try await transaction.commit(after: .execute("insert into t values (current_user)"))
      }
      #expect(try await session.atomically(Self.state) == plain)
    }
  }

  /// The role comes from a configuration, and the claim comes from a token.
  @Test
  func `whatever a role or a claim is, it is no SQL, and an error leaves the connection whole`()
    async throws
  {
    try await with { connection, schema, role in
      let session = Session(connection, in: schema)
      for name in ["nobody-there", "\(role); drop table t", "\"\(role)\"", "", "a\0b"] {
        let error = await #expect(throws: PostgresError.self, "\(name)") {
          try await session.acting(as: Identity(role: name) { _ in .none }).atomically(Self.state)
        }
        #expect(error?.sqlState.code.isEmpty == false)
        #expect(try await text("select 'whole'", session) == "whole")
      }
      let odd = "'; drop table t; --\n\\ \"$1\""
      let told = session.acting(as: Identity(role: role) { _ in .signed(odd) })
      #expect(try await text(Self.claim, told) == odd)
      await expectSQLState(.characterNotInRepertoire) {
        try await session.acting(as: Identity(role: role) { _ in .signed("a\0b") })
          .atomically(Self.state)
      }
      let left = try await text("select count(*)::text from t", session)
      #expect(left == "0")
    }
  }

  @Test func `a claim is made for each transaction, on the server process it is for`() async throws
  {
    try await with { connection, schema, role in
      let pid = await connection.backend.pid
      let told = Session(connection, in: schema).acting(
        as: Identity(role: role) { backend in
          .signed("\(backend?.pid ?? 0) \(backend?.start != nil)")
        })
      let claim = try await text(Self.claim, told)
      #expect(claim == "\(pid) true")
    }
  }
}
