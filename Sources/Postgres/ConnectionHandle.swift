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
      throw connectFailure(String(cString: PQerrorMessage(handle.pointer)).trimmedLine)
    }
    return handle
  }

  deinit {
    if let pointer { PQfinish(pointer) }
  }

  /// What libpq says of the last call.
  func failure() -> PostgresError {
    guard let pointer else { return PostgresError(.connectionFailure, "the connection is closed") }
    let text = String(cString: PQerrorMessage(pointer)).trimmedLine
    return PostgresError(.connectionFailure, text.isEmpty ? "the connection was lost" : text)
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
  let options = configuration.options
  let pointer = withCStrings(options.map(\.keyword)) { keywords in
    withCStrings(options.map(\.value)) { values in PQconnectdbParams(keywords, values, 1) }
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
  ]
  let state = states.first { text.contains($0.fragment) }?.state
  // What is not about a server is about the options: a port, a service that is not defined.
  let isOption =
    !text.contains("connection to server ")
    && ["invalid ", "definition of service", "could not match "].contains { text.contains($0) }
  return PostgresError(state ?? (isOption ? "22023" : .cannotConnect), text)
}

/// Calls `body` with a NULL-terminated array of C strings.
private func withCStrings<R>(
  _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> R
) -> R {
  let copies = strings.map { strdup($0) }
  defer { copies.forEach { free($0) } }
  let pointers = copies.map { $0.map { UnsafePointer($0) } } + [nil]
  return pointers.withUnsafeBufferPointer { buffer in
    guard let base = buffer.baseAddress else { preconditionFailure("the array ends in NULL") }
    return body(base)
  }
}

/// libpq's cancel object: the one part of a connection that any thread may use.
///
/// PQcancel works on a copy of the address and key, hence unchecked.
final class Canceller: @unchecked Sendable {
  private let cancelObject: OpaquePointer?
  private let socket: Int32
  private let isEncrypted: Bool

  init(_ connection: OpaquePointer?) {
    cancelObject = PQgetCancel(connection)
    socket = PQsocket(connection)
    isEncrypted = PQsslInUse(connection) == 1
  }

  deinit { PQfreeCancel(cancelObject) }

  func cancel() {
    guard !isEncrypted else {
      shutdown(socket, Int32(SHUT_RDWR))
      return
    }
    var buffer = [CChar](repeating: 0, count: 256)
    _ = PQcancel(cancelObject, &buffer, Int32(buffer.count))
  }
}
