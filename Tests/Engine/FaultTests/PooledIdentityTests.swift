import BatonIdentity
import BatonPostgres
import TestSupport
import Testing

/// Connections that a pooler lends to many clients in turn.
///
/// Each client starts without an identity, whatever the client before it did.
@Suite(.timeLimit(.minutes(5))) struct PooledIdentityTests {
  /// Roles of the test's own in its database with a pooler.
  ///
  /// The login may assume all these roles.
  private struct Place {
    let schema: TestSchema
    let prefix: String
    /// A connection to the server itself.
    let superuser: Connection

    func connect() async throws -> Connection {
      try await Connection.open(schema.configuration)
    }

    func identity(_ user: String) -> Identity { .user(user, role: "\(prefix)_user") }

    /// Reads the current role and user.
    static let seen = Call<String>.row(
      Statement(
        "test/seen",
        """
        select concat_ws(' ', current_setting('role'), coalesce(current_actor(), 'nobody'),
          coalesce(current_setting('baton.claim', true), ''))
        """)
    ) { (row) throws(PostgresError) in try row.decode(String.self) }

    /// Returns the role and user of a session that sets no identity.
    func seen(on connection: Connection) async throws -> String {
      try await Session(connection, in: schema.schema).atomically(Self.seen)
    }

    func seen(as user: String, on connection: Connection) async throws -> String {
      let session = Session(connection, in: schema.schema).acting(as: identity(user))
      return try await session.atomically(Self.seen)
    }

    func expected(_ user: String) -> String { "\(prefix)_user \(user) " }

    static let nobody = "none nobody "

    /// Ends the server process of a transaction, like a crash or an operator.
    func end(_ pid: Int32) async throws {
      let end = Statement("test/end", "select pg_terminate_backend($1)")
      try await superuser.run(.run(end, pid))
    }
  }

  private func with(
    poolSize: Int, _ body: (Place) async throws -> Void
  ) async throws {
    try await PgBouncer.with(poolSize: poolSize) { pooler in
      let superuser = try await Connection.open(
        ConnectionConfiguration(address: TestServer.address))
      let prefix = RoleServer.name("pooled")
      let result: Result<Void, any Error>
      do {
        try await superuser.script(Statement("test/role", "create role \(prefix)_user"))
        result = .success(
          try await TestSchema.with(at: pooler.address) { schema in
            try await schema.sql("grant usage on schema \(schema.schema) to \(prefix)_user")
            try await schema.sql("grant execute on function current_actor to \(prefix)_user")
            try await body(Place(schema: schema, prefix: prefix, superuser: superuser))
          })
      } catch { result = .failure(error) }
      // The database was dropped, and the role's rights with it.
      try await superuser.script(Statement("test/role", "drop role if exists \(prefix)_user"))
      await superuser.close()
      try result.get()
    }
  }

  /// The ways in which a transaction with an identity may end.
  private enum End: CaseIterable { case commit, failure, throwing, closing, crash }

  private struct Stop: Error {}

  private func act(
    as user: String, _ end: End, in place: Place, on connection: Connection
  ) async throws -> String {
    var seen = ""
    do {
      try await connection.transaction(in: place.schema.schema, as: place.identity(user)) {
        transaction in
        seen = try await transaction.run(Place.seen)
        switch end {
        case .commit: return
        case .failure: try await transaction.run(.run(Statement("test/fail", "select 1 / 0")))
        case .throwing: throw Stop()
        case .closing: await connection.close()
        case .crash:
          let pid = try await transaction.run(
            Call<Int32>.row(Statement("test/pid", "select pg_backend_pid()")) {
              (row) throws(PostgresError) in try row.decode(Int32.self)
            })
          try await place.end(pid)
          try await transaction.run(Place.seen)
        }
      }
    } catch  where end != .commit {
    }
    return seen
  }

  @Test func `whoever is lent the connection next is nobody, however the transaction before ended`()
    async throws
  {
    try await with(poolSize: 1) { place in
      let next = try await place.connect()
      #expect(await !next.isDirect)
      for end in End.allCases {
        let connection = try await place.connect()
        let seen = try await act(as: "ann", end, in: place, on: connection)
        #expect(seen == place.expected("ann"), "\(end)")
        let behind = try await place.seen(on: next)
        #expect(behind == Place.nobody, "\(end)")
        let other = try await place.seen(as: "ben", on: next)
        #expect(other == place.expected("ben"), "\(end)")
        let last = try await place.seen(on: next)
        #expect(last == Place.nobody, "\(end)")
        await connection.close()
      }
      await next.close()
    }
  }

  @Test(.sampled())
  func `many users over few connections, with errors and losses in between, are themselves`()
    async throws
  {
    let random = Randomness()
    try await with(poolSize: 3) { place in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<12 {
          group.addTask {
            let user = "user-\(number)"
            var connection = try await place.connect()
            for _ in 0..<20 {
              let end = End.allCases[random.number(in: 0..<End.allCases.count)]
              let seen = try await act(as: user, end, in: place, on: connection)
              #expect(seen == place.expected(user), "\(user) \(end)")
              if connection.isBroken {
                await connection.close()
                connection = try await place.connect()
              }
              let plain = try await place.seen(on: connection)
              #expect(plain == Place.nobody, "\(user) behind \(end)")
            }
            await connection.close()
          }
        }
        try await group.waitForAll()
      }
    }
  }
}
