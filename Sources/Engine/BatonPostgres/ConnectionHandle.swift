import CLibPQ
import Dispatch
import Foundation

/// One `PGconn`, which is finished exactly once, on the thread that owns it.
struct ConnectionHandle: ~Copyable {
  let pointer: OpaquePointer?

  /// No connection: libpq returns an error for every call on it.
  init() { pointer = nil }

  private init(_ pointer: OpaquePointer) { self.pointer = pointer }

  static func open(
    _ configuration: ConnectionConfiguration
  ) throws(PostgresError) -> ConnectionHandle {
    let handle = ConnectionHandle(try connected(configuration))
    // The default receiver prints to stderr, and DETAIL would contain values of rows.
    PQsetNoticeReceiver(handle.pointer, { _, _ in }, nil)
    guard PQstatus(handle.pointer) == CONNECTION_OK else {
      throw connectFailure(handle.lastMessage)
    }
    return handle
  }

  deinit {
    if let pointer { PQfinish(pointer) }
  }

  /// libpq's error of the last call.
  func failure() -> PostgresError {
    guard pointer != nil else {
      return PostgresError(.connectionFailure, "the connection is closed")
    }
    let text = lastMessage
    return PostgresError(.connectionFailure, text.isEmpty ? "the connection was lost" : text)
  }

  /// libpq's own text, which contains no password.
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
  /// The message with `***` in place of the password, if it contains the password.
  ///
  /// A password that is short, or that equals a name in the message, is not replaced. Such a text can occur in the
  /// message for another reason, and `***` in its place would only reveal the password.
  func withoutPassword(_ password: String, besides names: [String]) -> String {
    guard password.utf8.count >= 6, !names.contains(where: { $0.contains(password) }) else {
      return self
    }
    return replacing(password, with: "***")
  }
}

/// The result of the attempt to connect, which may be a failed connection.
private func connected(
  _ configuration: ConnectionConfiguration
) throws(PostgresError) -> OpaquePointer {
  signal(SIGPIPE, SIG_IGN)
  guard configuration.isWellFormed else {
    throw PostgresError(
      "22023", "the address of the database is not a URL or keyword=value list that libpq reads")
  }
  // The file is read now, for each connection, because it may have changed since the last one.
  let password = try configuration.password?.read()
  let options = configuration.options
  // The last option overrides the same option in the address.
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

/// Derives an SQLSTATE from the server's text, because libpq gives none for a failed connection attempt.
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
    // Waiting does not help: another server answers, or the server cannot prove its identity.
    ("certificate", .connectionRejected),
    ("server does not support SSL", .connectionRejected),
    ("channel binding", .connectionRejected),
    ("protocol version", .connectionRejected),
    ("received unencrypted data", .connectionRejected),
    ("unsupported protocol", .connectionRejected),
  ]
  let state = states.first { text.contains($0.fragment) }?.state
  // A failure that does not name a server concerns the options, for example the port or an undefined service.
  let isOption =
    !text.contains("connection to server ")
    && ["invalid ", "definition of service", "could not match "].contains { text.contains($0) }
  return PostgresError(state ?? (isOption ? "22023" : .cannotConnect), text)
}

/// libpq's cancel object: the only part of a connection that any thread may use.
///
/// PQcancel uses a copy of the address and the key, hence unchecked.
final class Canceller: @unchecked Sendable {
  private let cancelObject: OpaquePointer?
  /// A duplicate of the socket if the connection is encrypted.
  ///
  /// libpq closes a lost connection, and then the number of its own descriptor may belong to another file.
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
    // On a thread of its own, because PQcancel waits until the server has closed the connection that carries the
    // request, and a frozen server never does. The caller waits for a second, so that the request of a server that
    // answers does not meet the next statement.
    let isSent = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [self] in
      var buffer = [CChar](repeating: 0, count: 256)
      _ = PQcancel(cancelObject, &buffer, Int32(buffer.count))
      isSent.signal()
    }
    _ = isSent.wait(timeout: .now() + 1)
  }
}
