import CLibPQ
import Dispatch
import Foundation
import Synchronization

/// A `PGconn`, which is freed exactly once, on the connection's thread.
struct ConnectionHandle: ~Copyable {
  let pointer: OpaquePointer?
  /// The receiver of libpq's notices about commits.
  private let commits = CommitNotices()

  /// Creates an empty handle.
  ///
  /// Every libpq call with an empty handle returns an error.
  init() { pointer = nil }

  private init(_ pointer: OpaquePointer) {
    self.pointer = pointer
    commits.receive(from: pointer)
  }

  /// Opens a connection.
  ///
  /// - Parameter notices: receives the server's notices at login, one line per notice.
  static func open(
    _ configuration: ConnectionConfiguration, notices: inout [String]
  ) throws(PostgresError) -> ConnectionHandle {
    signal(SIGPIPE, SIG_IGN)
    try configuration.check()
    // The password file is read for each connection, because it may have changed since the last
    // connection.
    let login = Login(configuration, password: try configuration.password?.read())
    let handle = ConnectionHandle(try login.connect())
    notices = login.notices
    guard !handle.isLost else {
      let failure = LoginFailure(String(cString: PQerrorMessage(handle.pointer)))
      let text = login.timeouts + handle.withoutPassword(failure.text)
      throw PostgresError(.ofLogin(sent: failure.state, text: text), text)
    }
    return handle
  }

  deinit {
    if let pointer { PQfinish(pointer) }
  }

  /// Whether libpq has noticed that the connection is lost or closed.
  var isLost: Bool { PQstatus(pointer) != CONNECTION_OK }

  /// Returns the error from the last libpq call.
  func failure() -> PostgresError {
    guard pointer != nil else {
      return PostgresError(.connectionFailure, "the connection is closed")
    }
    let text = lastMessage
    return PostgresError(.connectionFailure, text.isEmpty ? "the connection was lost" : text)
  }

  /// Throws the failure of a round trip, or an error if the commit did not wait for its synchronous
  /// standby.
  func checkCommit(after failure: PostgresError?) throws(PostgresError) {
    let isUnreplicated = commits.takeUnreplicated()
    if let failure { throw failure }
    guard isUnreplicated else { return }
    throw PostgresError(
      .unknownOutcome,
      "COMMIT was cancelled before a synchronous standby confirmed it; a failover may undo it")
  }

  /// libpq's own error text, which contains no password.
  private var lastMessage: String {
    withoutPassword(String(cString: PQerrorMessage(pointer)).trimmedLine)
  }

  private func withoutPassword(_ text: String) -> String {
    guard let pointer, let password = PQpass(pointer) else { return text }
    let names = [PQuser(pointer), PQhost(pointer), PQdb(pointer)].map {
      $0.map { String(cString: $0) } ?? ""
    }
    return text.withoutPassword(String(cString: password), besides: names)
  }
}

extension String {
  /// Returns the message with `***` instead of the password.
  ///
  /// A short password, or a password that is part of a name in `names`, is not replaced. If `***`
  /// replaced part of a well-known name, a reader of the message could infer the password from the
  /// name.
  func withoutPassword(_ password: String, besides names: [String]) -> String {
    guard password.utf8.count >= 6, !names.contains(where: { $0.contains(password) }) else {
      return self
    }
    return replacing(password, with: "***")
  }
}

/// libpq's cancel object, the only part of a connection that any thread may use.
///
/// The `Sendable` conformance is unchecked, because PQcancel uses its own copy of the server's
/// address and the cancel key.
final class Canceller: @unchecked Sendable {
  private let cancelObject: OpaquePointer?
  private let usesTLS: Bool
  /// A duplicate of the socket.
  ///
  /// The canceller duplicates the socket's descriptor, because libpq closes the original descriptor
  /// when the connection is lost. The operating system can give a closed descriptor's number to
  /// another file.
  private let socket: Int32
  /// Whether a cancel request is being sent.
  ///
  /// A wait repeats its cancel request every second. If the server is frozen, each further request
  /// would occupy another thread, and would cancel a later statement after the freeze.
  private let isSending = Atomic(false)

  init(_ connection: OpaquePointer?) {
    cancelObject = PQgetCancel(connection)
    usesTLS = PQsslInUse(connection) == 1
    socket = fcntl(PQsocket(connection), F_DUPFD_CLOEXEC, 0)
  }

  deinit {
    PQfreeCancel(cancelObject)
    if socket >= 0 { close(socket) }
  }

  /// Closes the connection in both directions, so that each wait for the server ends.
  func abort() { if socket >= 0 { shutdown(socket, Int32(SHUT_RDWR)) } }

  /// Whether the server has sent nothing that is not read yet, and has not closed the connection.
  var isSilent: Bool {
    var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return socket >= 0 && poll(&waiting, 1, 0) == 0
  }

  func cancel() {
    if usesTLS { return abort() }
    // PQcancel blocks until the server closes the connection that carries the cancel request. If
    // the server hangs, PQcancel may block forever, so PQcancel runs on a separate thread. The
    // caller waits for up to one second, because a late cancel request could cancel the next
    // statement.
    guard !isSending.exchange(true, ordering: .acquiring) else { return }
    let isSent = DispatchSemaphore(value: 0)
    let isStarted = SystemThread.start(name: "baton cancel") { [self] in
      var buffer = [CChar](repeating: 0, count: 256)
      _ = PQcancel(cancelObject, &buffer, Int32(buffer.count))
      isSending.store(false, ordering: .releasing)
      isSent.signal()
    }
    guard isStarted else { return isSending.store(false, ordering: .releasing) }
    _ = isSent.wait(timeout: .now() + 1)
  }
}
