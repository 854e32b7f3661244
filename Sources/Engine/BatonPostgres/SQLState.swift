/// A five-character SQLSTATE, as listed in
/// https://www.postgresql.org/docs/15/errcodes-appendix.html.
public struct SQLState: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The five characters of the SQLSTATE.
  public let code: String

  /// Creates an SQLSTATE from its code.
  public init(_ code: String) { self.code = code }
  /// Creates an SQLSTATE from its code.
  public init(stringLiteral code: String) { self.code = code }

  /// The connection could not be established.
  public static let cannotConnect: SQLState = "08001"
  /// The server must not be used, because it cannot prove its identity.
  public static let connectionRejected: SQLState = "08004"
  /// No synchronous standby confirmed the commit, so a failover may lose the transaction.
  public static let unknownOutcome: SQLState = "08007"
  /// The server is starting, stopping or recovering.
  public static let cannotConnectNow: SQLState = "57P03"
  /// The server has no free connection slots.
  public static let tooManyConnections: SQLState = "53300"
  /// The connection was lost.
  public static let connectionFailure: SQLState = "08006"
  /// The server's response did not match the protocol or the caller's expectation.
  public static let protocolViolation: SQLState = "08P01"
  /// A value does not match its type, or a result cannot be decoded.
  public static let dataException: SQLState = "22000"
  /// A string contains a NUL byte or is not UTF-8.
  public static let characterNotInRepertoire: SQLState = "22021"
  /// The server responded to COMMIT with ROLLBACK, because an earlier statement in the transaction
  /// had failed.
  public static let inFailedTransaction: SQLState = "25P02"
  /// A unique constraint was violated.
  public static let uniqueViolation: SQLState = "23505"
  /// A foreign key constraint was violated.
  public static let foreignKeyViolation: SQLState = "23503"
  /// A lock was not available immediately (NOWAIT) or within `lock_timeout`.
  public static let lockNotAvailable: SQLState = "55P03"
  /// The role lacks a privilege.
  package static let insufficientPrivilege: SQLState = "42501"
  /// The statement was cancelled, for example by a timeout or a shutdown.
  public static let queryCanceled: SQLState = "57014"
  /// The server does not have the prepared statement, or the result type of the prepared statement
  /// has changed.
  package static let noSuchStatement: SQLState = "26000"
  /// A table in the statement does not exist.
  public static let undefinedTable: SQLState = "42P01"
  /// A column in the statement does not exist.
  public static let undefinedColumn: SQLState = "42703"
  /// A schema in the statement does not exist.
  public static let undefinedSchema: SQLState = "3F000"
  /// The password is wrong.
  public static let invalidPassword: SQLState = "28P01"
  /// The role is not permitted to log in, or pg_hba.conf has no matching line.
  public static let invalidAuthorization: SQLState = "28000"
  /// The server is older than the oldest version that the client supports.
  public static let featureNotSupported: SQLState = "0A000"

  /// Whether the connection is lost.
  public var isConnectionLoss: Bool { failure == .unreachable || self == .connectionRejected }

  /// The server ended the session, because it was idle for longer than `idle_session_timeout`.
  package static let idleSessionTimeout: SQLState = "57P05"

  /// Whether the server ended the connection: by a restart, by terminating the server process, or
  /// because the session was idle for too long.
  public var isTermination: Bool {
    ["57P01", "57P02"].contains(code) || self == .idleSessionTimeout
  }

  /// Whether a starting program waits for the server after this error.
  ///
  /// A program waits if the server is unreachable, busy or read-only. A program also waits if the
  /// server may be rejecting writes to prevent a wraparound of transaction ids.
  public var isAbsence: Bool { failure.isPassing || isWraparound }

  /// Whether the server rejected the login.
  ///
  /// Usually, waiting after a rejected login does not help. If an operator is changing a running
  /// program's password, a later login may succeed.
  public var isRefusedLogin: Bool { failure == .refusedLogin }

  /// Whether the error is temporary, so that retrying the transaction may succeed.
  public var isTransient: Bool { failure.isPassing || isConnectionLoss }
}
