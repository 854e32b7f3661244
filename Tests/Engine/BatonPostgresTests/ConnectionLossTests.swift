import BatonPostgres
import Foundation
import TestSupport
import Testing

/// After cancelled statements and lost connections, the program gets an error, and never crashes or
/// hangs.
@Suite(.timeLimit(.minutes(5)))
struct ConnectionLossTests {
  /// Returns when the server process runs a `pg_sleep`.
  private func waitUntilAsleep(_ pid: Int32, seenBy observer: Connection) async throws {
    let look = Call.value(
      """
      select exists (select from pg_stat_activity where pid = $1 and wait_event = 'PgSleep')
      """, pid, as: Bool.self)
    while try await !observer.run(look) { try Task.checkCancellation() }
  }

  @Test func `cancel from another thread stops a long statement, and the connection goes on`()
    async throws
  {
    try await withConnection { observer in
      try await withConnection { connection in
        let pid = await connection.backend.pid
        let began = ContinuousClock.now
        async let failure = #expect(throws: PostgresError.self) {
          try await connection.run(.execute("select pg_sleep(50)"))
        }
        try await waitUntilAsleep(pid, seenBy: observer)
        await withCheckedContinuation { continuation in
          Thread.detachNewThread {
            connection.cancel()
            continuation.resume()
          }
        }
        #expect(await failure?.sqlState == .queryCanceled)
        #expect(ContinuousClock.now - began < .seconds(10) * patience)
        #expect(try await connection.run(.value("select 1", as: Int32.self)) == 1)
        #expect(!connection.isBroken)
      }
    }
  }

  @Test func `cancel with nothing running, or after close, does nothing`() async throws {
    try await withConnection { connection in
      connection.cancel()
      // The server may receive the cancellation before or after this statement.
      _ = try? await connection.run(.execute("select 1"))
      let two = try await connection.run(.value("select 2", as: Int32.self))
      #expect(two == 2)
      await connection.close()
      connection.cancel()
      #expect(connection.isBroken)
    }
  }

  @Test func `a terminated server process is a lost connection, for every later call too`()
    async throws
  {
    try await withConnection { observer in
      try await withConnection { connection in
        let pid = await connection.backend.pid
        async let failure = #expect(throws: PostgresError.self) {
          try await connection.run(.execute("select pg_sleep(50)"))
        }
        try await waitUntilAsleep(pid, seenBy: observer)
        try await observer.run(.execute("select pg_terminate_backend($1)", pid))
        #expect(await failure?.sqlState.isConnectionLoss == true)
        #expect(connection.isBroken)
        try await expectLoss(connection)
      }
    }
  }

  @Test func `a server process that ends between two calls is a lost connection`() async throws {
    try await withConnection { observer in
      try await withConnection { connection in
        let pid = await connection.backend.pid
        try await connection.run(.execute("select 1"))
        try await observer.run(.execute("select pg_terminate_backend($1)", pid))
        let gone = Call.value(
          "select not exists (select from pg_stat_activity where pid = $1)", pid, as: Bool.self)
        while try await !observer.run(gone) { try Task.checkCancellation() }
        let error = await #expect(throws: PostgresError.self) {
          try await connection.run(.execute("select 1"))
        }
        #expect(error?.sqlState.isConnectionLoss == true)
        #expect(connection.isBroken)
        try await expectLoss(connection)
      }
    }
  }

  @Test func `a connection lost inside a transaction is the error that is thrown`() async throws {
    try await withConnection { observer in
      try await withConnection { connection in
        let pid = await connection.backend.pid
        let error = await #expect(throws: PostgresError.self) {
          try await connection.transaction(in: .standard) { transaction in
            try await transaction.run(.execute("select 1"))
            try await observer.run(.execute("select pg_terminate_backend($1)", pid))
            try await transaction.run(.execute("select pg_sleep(50)"))
          }
        }
        #expect(error?.sqlState.isConnectionLoss == true)
        try await expectLoss(connection)
      }
    }
  }

  @Test func `a closed connection fails every call and says so`() async throws {
    try await withConnection { connection in
      await connection.close()
      await connection.close()
      let error = await #expect(throws: PostgresError.self) {
        try await connection.run(.execute("select 1"))
      }
      #expect(error?.message == "the connection is closed")
      try await expectLoss(connection)
    }
  }

  /// Expects that every method of the connection fails with the error of a lost connection.
  private func expectLoss(_ connection: Connection) async throws {
    let uses: [(Connection) async throws -> Void] = [
      { try await $0.run(.execute("select 1")) },
      { try await $0.pipeline([.execute("select 1"), .execute("select 2")]) },
      { try await $0.script(Statement("test/script", "select 1; select 2")) },
      { try await $0.atomically(in: .standard, .execute("select 1")) },
      { connection in
        try await connection.transaction(in: .standard) { try await $0.run(.execute("select 1")) }
      },
    ]
    for use in uses {
      let error = await #expect(throws: PostgresError.self) { try await use(connection) }
      #expect(error?.sqlState.isConnectionLoss == true)
      #expect(error?.sqlState.isTransient == true)
    }
  }

  @Test(
    arguments: [
      "postgresql:///postgres?host=/nowhere/at/all", "postgresql://127.0.0.1:1/postgres",
    ])
  func `opening to nothing says so with 08001`(address: String) async throws {
    let error = await #expect(throws: PostgresError.self) {
      try await Connection.open(ConnectionConfiguration(address: address))
    }
    #expect(error?.sqlState == .cannotConnect)
    #expect(error?.message.isEmpty == false)
    #expect(error?.message.contains("\n") == false)
  }

  @Test func `an address that is none is refused`() async throws {
    let error = await #expect(throws: PostgresError.self) {
      try await Connection.open(ConnectionConfiguration(address: "postgresql://[::"))
    }
    #expect(error?.sqlState == "22023")
  }

  @Test func `a database that is not there is told apart from a server that is not`() async throws {
    let address = try TestServer.address
      .replacing(/\/[^\/?]*\?/, with: "/no_such_database?", maxReplacements: 1)
    let error = await #expect(throws: PostgresError.self) {
      try await Connection.open(ConnectionConfiguration(address: address))
    }
    #expect(error?.sqlState == "3D000")
  }
}
