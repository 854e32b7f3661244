/// The meaning of an error for a program: whether the error may be temporary, and whether an
/// operator must act.
///
/// The table in this file classifies all errors from the server and from libpq, including errors at
/// login. The retry loops of workers and the exit codes of commands are derived from the table in
/// this file.
package enum ServerFailure: Sendable, CaseIterable {
  /// The server was not reached, or the connection was lost.
  case unreachable
  /// The server temporarily lacks a resource, another session has a lock, or the transaction must
  /// be repeated.
  case busy
  /// The server is read-only, for example because the server is a standby.
  case readOnly
  /// The server rejects the login.
  case refusedLogin
  /// The server cannot prove its identity, or is not the required kind of server.
  case unproven
  /// The role lacks a privilege.
  case notAllowed
  /// A publication in the database does not allow the write.
  case publication
  /// The schema does not contain an object that the statement uses.
  case schema
  /// The server does not have a feature that the program needs.
  case unsupported
  /// The server does not accept one of the connection's options.
  case option
  /// The server does not accept a value.
  case value
  /// The server reports an internal error, such as damaged data.
  case internalError
  /// Any other error, which is a bug in the program or in the statement.
  case fault

  /// Whether the error may be resolved without a change to the program or the statement.
  package var isPassing: Bool {
    switch self {
    case .unreachable, .busy, .readOnly: true
    default: false
    }
  }

  /// Whether a process that has already logged in waits until the error is resolved.
  ///
  /// For example, a process waits until an operator corrects its password, certificate or
  /// privileges. If the schema lacks an object, the server lacks a feature, or the program has a
  /// bug, the process does not wait until the error is resolved. If the server rejects an option or
  /// a value, the process does not wait until the error is resolved.
  package var isWaitedFor: Bool {
    switch self {
    case .unreachable, .busy, .readOnly, .refusedLogin, .unproven, .notAllowed, .publication,
      .internalError:
      true
    case .schema, .unsupported, .option, .value, .fault: false
    }
  }
}

extension ServerFailure {
  /// Whether a value in the statement may have caused the error.
  package var mayBeOfValue: Bool {
    switch self {
    case .unreachable, .busy, .readOnly, .refusedLogin, .unproven, .notAllowed, .publication: false
    case .schema, .unsupported, .option, .value, .internalError, .fault: true
    }
  }
}

extension SQLState {
  /// The meaning of each SQLSTATE, or of each class of SQLSTATEs (two characters).
  private static let failures: [String: ServerFailure] = [
    // Class 08 contains connection exceptions. A pooler reports most of its errors as 08P01.
    "08": .unreachable, "08004": .unproven,
    "0A": .unsupported,
    "22": .value, "22023": .option,
    "25006": .readOnly,
    // The server ended the session, because the transaction was idle or took too long.
    "25P03": .busy, "25P04": .busy,
    "28": .refusedLogin,
    // The database does not exist, but may be created again, for example by a restore.
    "3D": .refusedLogin,
    "3F": .schema,
    "40": .busy, "40002": .fault,
    // PostgreSQL rejects updates if a publication's row filter uses a column outside the primary
    // key. The column list of a publication must contain the primary key. If one of Baton's own
    // statements fails with SQLSTATE 42P10, the cause is always a publication.
    "42P10": .publication,
    "42501": .notAllowed, "42P01": .schema, "42703": .schema, "42704": .schema, "42883": .schema,
    "53": .busy,
    // A value exceeds a PostgreSQL limit, for example the depth of nested JSON.
    "54": .value,
    "55": .busy,
    // Class 57 contains cancelled statements, shutdowns and a starting server. 57P04 means that the
    // database was dropped.
    "57": .busy, "57P01": .unreachable, "57P02": .unreachable, "57P03": .unreachable,
    "57P04": .refusedLogin, "57P05": .unreachable,
    // Classes 58 and 72 contain errors from the server's disk and operating system.
    "58": .busy, "72": .busy,
    "XX": .internalError,
  ]

  /// Fragments of error texts that libpq or a pooler reports without an SQLSTATE when a login
  /// fails.
  ///
  /// The first fragment that occurs in the message determines the SQLSTATE.
  private static let loginTexts: [(fragment: String, state: SQLState)] = [
    ("password authentication failed", .invalidPassword),
    ("no password supplied", .invalidPassword),
    ("no more connections allowed", .tooManyConnections),
    // None of the hosts in the address currently has the required role (primary or standby). After
    // a failover, one of the hosts may have the required role.
    ("session is read-only", "25006"), ("server is in hot standby mode", "25006"),
    ("session is not read-only", .cannotConnect),
    ("server is not in hot standby mode", .cannotConnect),
    // The following errors are permanent: the server cannot prove its identity, or is the wrong
    // server.
    ("certificate", .connectionRejected),
    ("server does not support SSL", .connectionRejected),
    ("channel binding", .connectionRejected),
    ("protocol version", .connectionRejected),
    ("received unencrypted data", .connectionRejected),
    ("unsupported protocol", .connectionRejected),
  ]

  /// Fragments of libpq's messages about an invalid option, which libpq reports before it connects
  /// to a server.
  private static let optionTexts = ["invalid ", "definition of service", "could not match "]

  /// The meaning of the error for a program.
  package var failure: ServerFailure {
    Self.failures[code] ?? Self.failures[String(code.prefix(2))] ?? .fault
  }

  /// Whether a process that has already logged in waits until the error is resolved.
  ///
  /// A process also waits while the server rejects all writes to prevent a wraparound of
  /// transaction ids.
  package var isWaitedFor: Bool { failure.isWaitedFor || isWraparound }

  /// Whether a process waits until a login error is resolved.
  ///
  /// - Parameter wasLetIn: whether the server has already accepted a login from the process.
  package func isWaitedFor(wasLetIn: Bool) -> Bool { wasLetIn ? isWaitedFor : isAbsence }

  /// Whether the server may be rejecting all writes to prevent a wraparound of transaction ids.
  ///
  /// To prevent a wraparound, the server rejects writes until an operator has vacuumed the
  /// database. SQLSTATE 54000 is also used for a value that is too large for an index.
  var isWraparound: Bool { self == "54000" }

  /// Returns the SQLSTATE for a failed login.
  ///
  /// - Parameters:
  ///   - sent: the SQLSTATE that the server sent, or nil if libpq alone reports the error.
  ///   - text: libpq's message.
  static func ofLogin(sent: SQLState?, text: String) -> SQLState {
    // A pooler sends 08P01 for most errors, so the error's text determines the SQLSTATE.
    if let sent, sent != .protocolViolation { return sent }
    // Host, role and file names are in quotation marks, and may contain any fragment.
    let text = text.replacing(/"[^"]*"/, with: "")
    if let found = loginTexts.first(where: { text.contains($0.fragment) }) { return found.state }
    let isOption =
      !text.contains("connection to server ") && optionTexts.contains { text.contains($0) }
    return isOption ? "22023" : .cannotConnect
  }
}
