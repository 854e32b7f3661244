import CLibPQ
import Foundation

/// One `PGconn` and the duty to finish it, exactly once, on the thread that owns it.
struct ConnectionHandle: ~Copyable {
  let pointer: OpaquePointer?

  /// No connection: libpq answers every call on it with an error.
  init() { pointer = nil }

  private init(_ pointer: OpaquePointer) { self.pointer = pointer }

  static func open(
    _ configuration: ConnectionConfiguration
  ) throws(PostgresError) -> ConnectionHandle {
    let handle = ConnectionHandle(try connected(configuration))
    // The default receiver prints to stderr, where DETAIL would show values of rows.
    PQsetNoticeReceiver(handle.pointer, { _, _ in }, nil)
    guard PQstatus(handle.pointer) == CONNECTION_OK else {
      throw connectFailure(handle.lastMessage)
    }
    return handle
  }

  deinit {
    if let pointer { PQfinish(pointer) }
  }

  /// What libpq says of the last call.
  func failure() -> PostgresError {
    guard pointer != nil else {
      return PostgresError(.connectionFailure, "the connection is closed")
    }
    let text = lastMessage
    return PostgresError(.connectionFailure, text.isEmpty ? "the connection was lost" : text)
  }

  /// libpq's own text, in which no password stands.
  private var lastMessage: String {
    let text = String(cString: PQerrorMessage(pointer)).trimmedLine
    guard let pointer, let password = PQpass(pointer) else { return text }
    let names = [PQuser(pointer), PQhost(pointer), PQdb(pointer)].map {
      $0.map { String(cString: $0) } ?? ""
    }
    return text.withoutPassword(String(cString: password), besides: names)
  }
}

extension String {
  /// With `***` for a password, should a message ever hold it.
  ///
  /// A short one, or one that is also the name of what the message speaks of, is left: it stands there by
  /// itself, and `***` in its place would only show what the password is.
  func withoutPassword(_ password: String, besides names: [String]) -> String {
    guard password.utf8.count >= 6, !names.contains(where: { $0.contains(password) }) else {
      return self
    }
    return replacing(password, with: "***")
  }
}

/// What libpq makes of the attempt to connect, which may be a connection that failed.
private func connected(
  _ configuration: ConnectionConfiguration
) throws(PostgresError) -> OpaquePointer {
  signal(SIGPIPE, SIG_IGN)
  guard configuration.isWellFormed else {
    throw PostgresError(
      "22023", "the address of the database is not a URL or keyword=value list that libpq reads")
  }
  // Now, for each connection: it may have been changed since the last one.
  let password = try configuration.password?.read()
  let options = configuration.options
  // The last one goes before the same in the address.
  let keywords = options.map(\.keyword) + (password == nil ? [] : ["password"])
  let pointer = withCStrings(keywords) { keywords in
    withCStrings(options.map(\.value), and: password) { values in
      PQconnectdbParams(keywords, values, 1)
    }
  }
  guard let pointer else {
    throw PostgresError(.cannotConnect, "libpq could not allocate a connection")
  }
  return pointer
}

/// libpq gives no SQLSTATE for a failed connection attempt, only the server's text.
private func connectFailure(_ text: String) -> PostgresError {
  let states: [(fragment: String, state: SQLState)] = [
    ("password authentication failed", .invalidPassword),
    ("no password supplied", .invalidPassword),
    ("no pg_hba.conf entry", .invalidAuthorization),
    ("role ", .invalidAuthorization),
    ("database \"", "3D000"),
    ("the database system is ", .cannotConnectNow),
    ("too many ", .tooManyConnections),
    ("remaining connection slots are reserved", .tooManyConnections),
    // Neither gets better by waiting: who answers is not who was asked for, or cannot show it.
    ("certificate", .connectionRejected),
    ("server does not support SSL", .connectionRejected),
    ("channel binding", .connectionRejected),
    ("protocol version", .connectionRejected),
    ("received unencrypted data", .connectionRejected),
    ("unsupported protocol", .connectionRejected),
  ]
  let state = states.first { text.contains($0.fragment) }?.state
  // What is not about a server is about the options: a port, a service that is not defined.
  let isOption =
    !text.contains("connection to server ")
    && ["invalid ", "definition of service", "could not match "].contains { text.contains($0) }
  return PostgresError(state ?? (isOption ? "22023" : .cannotConnect), text)
}

/// libpq's cancel object: the one part of a connection that any thread may use.
///
/// PQcancel works on a copy of the address and key, hence unchecked.
final class Canceller: @unchecked Sendable {
  private let cancelObject: OpaquePointer?
  /// Of an encrypted connection its socket, under a number of our own: libpq closes a connection that is lost, and
  /// what has its number then is somebody else's.
  private let socket: Int32?

  init(_ connection: OpaquePointer?) {
    cancelObject = PQgetCancel(connection)
    socket =
      PQsslInUse(connection) == 1 ? fcntl(PQsocket(connection), F_DUPFD_CLOEXEC, 0) : nil
  }

  deinit {
    PQfreeCancel(cancelObject)
    if let socket { close(socket) }
  }

  func cancel() {
    if let socket {
      shutdown(socket, Int32(SHUT_RDWR))
      return
    }
    var buffer = [CChar](repeating: 0, count: 256)
    _ = PQcancel(cancelObject, &buffer, Int32(buffer.count))
  }
}
