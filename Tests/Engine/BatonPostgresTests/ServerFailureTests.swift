import Testing

@testable import BatonPostgres

/// Tests the only table that maps errors to their meaning, at login and later.
struct ServerFailureTests {
  @Test(
    arguments: [
      // Codes whose meaning differs from the meaning of their class.
      ("08006", .unreachable), ("08P01", .unreachable), ("08004", .unproven),
      ("25006", .readOnly), ("25P02", .fault), ("25P03", .busy), ("28000", .refusedLogin),
      ("28P01", .refusedLogin), ("3D000", .refusedLogin), ("3F000", .schema), ("40001", .busy),
      ("40002", .fault), ("42501", .notAllowed), ("42601", .fault), ("42P01", .schema),
      ("42P10", .publication),
      ("42883", .schema), ("53100", .busy), ("53300", .busy), ("53400", .busy), ("54001", .value),
      ("55000", .busy), ("55P03", .busy), ("57014", .busy), ("57P01", .unreachable),
      ("57P03", .unreachable), ("57P04", .refusedLogin), ("58030", .busy), ("22003", .value),
      ("22023", .option), ("0A000", .unsupported), ("XX001", .internalError), ("23505", .fault),
      ("P0001", .fault), ("ZB011", .fault), ("", .fault),
    ] as [(String, ServerFailure)])
  func `each code has its meaning`(code: String, meaning: ServerFailure) {
    #expect(SQLState(code).failure == meaning)
  }

  @Test func `what may pass is waited for, and what a retry repeats is not`() {
    for failure in ServerFailure.allCases where failure.isPassing { #expect(failure.isWaitedFor) }
    #expect(ServerFailure.allCases.filter { !$0.isWaitedFor }.count == 5)
    // A program that starts with a wrong password or schema ends. A program that has already
    // connected waits.
    #expect(!SQLState.invalidPassword.isAbsence && SQLState.invalidPassword.failure.isWaitedFor)
    #expect(!SQLState.undefinedTable.isWaitedFor && SQLState.invalidPassword.isWaitedFor)
    // Before a wraparound of transaction ids, the server refuses writes. Errors of other limits are
    // still mistakes of the caller.
    let (wraparound, depth): (SQLState, SQLState) = ("54000", "54001")
    #expect(wraparound.isWaitedFor && !depth.isWaitedFor)
    #expect(wraparound.isAbsence && !depth.isAbsence)
  }

  @Test(
    arguments: [
      // The right to connect to the database was revoked, the server proves itself no longer, ...
      ("42501", false, true), ("08004", false, true), ("28P01", false, true),
      ("XX000", false, true),
      ("08001", true, true), ("53300", true, true), ("57P03", true, true),
      ("22023", false, false), ("0A000", false, false),
    ] as [(String, Bool, Bool)])
  func `a login that was accepted before is tried again longer`(
    code: String, atFirst: Bool, later: Bool
  ) {
    #expect(SQLState(code).isWaitedFor(wasLetIn: false) == atFirst)
    #expect(SQLState(code).isWaitedFor(wasLetIn: true) == later)
  }

  @Test func `no value causes an error of the server, of a login or of a right`() {
    for failure in ServerFailure.allCases where failure.mayBeOfValue {
      #expect(!failure.isPassing)
    }
    #expect(!ServerFailure.notAllowed.mayBeOfValue && ServerFailure.internalError.mayBeOfValue)
  }

  @Test func `pauses after refused logins are long, and each is another`() {
    var pause = ReconnectPause.afterRefusedLogins
    let pauses = (0..<20).map { _ in pause.next() }
    #expect(pauses.allSatisfy { $0 >= .milliseconds(500) && $0 <= .seconds(2) })
    #expect(Set(pauses).count > 10)
  }

  @Test func `the code of the server decides about a login, and no word of its message`() throws {
    let failure = LoginFailure(
      """
      connection to server at "db" (10.0.0.1), port 5432 failed: FATAL:  53300: too many connections for role "app"
      LOCATION:  InitializeSessionUserId, miscinit.c:857

      """)
    #expect(failure.state == .tooManyConnections)
    #expect(
      failure.text == #"connection to server at "db" (10.0.0.1), port 5432 failed: FATAL:  "#
        + #"too many connections for role "app""#)
    // If there are several hosts, the error names the host that was tried last.
    let several = LoginFailure(
      """
      connection to server at "a", port 1 failed: FATAL:  57P03: the database system is starting up
      LOCATION:  ProcessStartupPacket, postmaster.c:2373
      connection to server at "b", port 1 failed: FATAL:  28000: no pg_hba.conf entry
      """)
    #expect(several.state == .invalidAuthorization)
    #expect(LoginFailure("could not translate host name").state == nil)
  }

  @Test(
    arguments: [
      // The messages of a pooler.
      (
        "08P01", "FATAL: no more connections allowed (max_client_conn)",
        SQLState.tooManyConnections
      ),
      ("08P01", "FATAL: pgbouncer cannot connect to server", .cannotConnect),
      ("08P01", "FATAL: password authentication failed", .invalidPassword),
      // The messages of libpq itself.
      (nil, "connection to server on socket failed: session is read-only", "25006"),
      (nil, "connection to server at h failed: server certificate for x", .connectionRejected),
      (nil, "connection to server at h failed: Connection refused", .cannotConnect),
      // The names of hosts, roles and files are ignored.
      (
        nil, "connection to server at \"certificates-db\" (10.0.0.1) failed: Connection refused",
        .cannotConnect
      ),
      (nil, "connection to server on socket \"/channel binding/s\" failed", .cannotConnect),
      (nil, "invalid port number", "22023"),
      (nil, "connection to server at h failed: FATAL: invalid nonsense", .cannotConnect),
      // If the server sent a code, the text of its message is ignored.
      ("28000", "role \"certificate\" does not exist", .invalidAuthorization),
      ("53300", "too many connections for role \"channel binding\"", .tooManyConnections),
    ] as [(String?, String, SQLState)])
  func `text decides only where there is no code`(code: String?, text: String, state: SQLState) {
    #expect(SQLState.ofLogin(sent: code.map { SQLState($0) }, text: text) == state)
  }
}
