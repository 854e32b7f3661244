/// A five-character SQLSTATE, https://www.postgresql.org/docs/15/errcodes-appendix.html.
public struct SQLState: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The five characters.
  public let code: String

  /// A state by its code.
  public init(_ code: String) { self.code = code }
  /// A state by its code.
  public init(stringLiteral code: String) { self.code = code }

  /// The connection could not be made.
  public static let cannotConnect: SQLState = "08001"
  /// The server that answered must not be used, because it cannot prove its identity.
  public static let connectionRejected: SQLState = "08004"
  /// The server is starting, stopping or recovering.
  public static let cannotConnectNow: SQLState = "57P03"
  /// The server has no connection left.
  public static let tooManyConnections: SQLState = "53300"
  /// The connection broke.
  public static let connectionFailure: SQLState = "08006"
  /// The server's answer was not what the protocol or the caller expects.
  public static let protocolViolation: SQLState = "08P01"
  /// A value does not fit its type, or a result is not what the code can read.
  public static let dataException: SQLState = "22000"
  /// A text holds a NUL byte or is not UTF-8.
  public static let characterNotInRepertoire: SQLState = "22021"
  /// COMMIT answered ROLLBACK: the transaction had failed before.
  public static let inFailedTransaction: SQLState = "25P02"
  /// A unique constraint was violated.
  public static let uniqueViolation: SQLState = "23505"
  /// A lock was not available immediately (NOWAIT) or within lock_timeout.
  public static let lockNotAvailable: SQLState = "55P03"
  /// The statement was cancelled (timeout, shutdown).
  public static let queryCanceled: SQLState = "57014"
  /// A table that the statement names does not exist.
  public static let undefinedTable: SQLState = "42P01"
  /// A schema that the statement names does not exist.
  public static let undefinedSchema: SQLState = "3F000"
  /// The password is wrong.
  public static let invalidPassword: SQLState = "28P01"
  /// The role may not log in, or pg_hba.conf has no line for it.
  public static let invalidAuthorization: SQLState = "28000"
  /// The server is older than the client supports.
  public static let featureNotSupported: SQLState = "0A000"

  /// Whether the connection is lost.
  public var isConnectionLoss: Bool {
    code.hasPrefix("08") || ["57P01", "57P02", "57P03", "57P05"].contains(code)
  }

  /// Whether the server was reached and ended the connection: it restarts, or its process was terminated.
  public var isTermination: Bool { ["57P01", "57P02"].contains(code) }

  /// Whether an attempt to connect failed because the server is not available, or not available to this program.
  ///
  /// It may be available in a moment, with the same address, user and password.
  public var isAbsence: Bool {
    isTermination
      || [.cannotConnect, .connectionFailure, .cannotConnectNow, .tooManyConnections].contains(self)
  }

  /// Whether the server refused the login.
  ///
  /// Waiting does not help, with one exception: while the password of a running program is being changed, the program
  /// may be accepted again later.
  public var isRefusedLogin: Bool { [.invalidPassword, .invalidAuthorization].contains(self) }

  /// Whether the same work may succeed when it is retried, because the work itself has no error.
  public var isTransient: Bool {
    switch code {
    case "40001", "40P01", "55P03", "55006", "57014", "53300", "53200", "53100": true
    default: isConnectionLoss
    }
  }
}
