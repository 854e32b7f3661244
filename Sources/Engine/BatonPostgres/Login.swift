import CLibPQ
import Foundation

/// An attempt to open a connection.
///
/// The attempt does not use `PQconnectdb`, because it performs the whole login in one call. Before
/// the login begins, the attempt enables verbose error messages, which contain the SQLSTATE. The
/// attempt also sets a receiver for the notices that the server sends during the login.
final class Login {
  /// The server's notices during the login.
  private(set) var notices: [String] = []
  /// The message about the addresses that did not respond in time, or an empty string if all
  /// addresses responded in time.
  private(set) var timeouts = ""
  private var options: [(keyword: String, value: String)]
  private let password: Secret?

  init(_ configuration: ConnectionConfiguration, password: Secret?) {
    options = configuration.options
    self.password = password
  }

  /// Returns a connection.
  ///
  /// The login on the returned connection may have failed.
  func connect() throws(PostgresError) -> OpaquePointer {
    while true {
      let connection = try start()
      switch complete(connection) {
      case .ended:
        PQsetErrorVerbosity(connection, PQERRORS_DEFAULT)
        // libpq's default receiver would print notices to stderr, with a DETAIL that may contain
        // row values.
        PQsetNoticeReceiver(connection, { _, _ in }, nil)
        return connection
      case .late(let address):
        let all = LoginAddress.all(of: connection)
        let rest = all.filter { $0 != address }
        PQfinish(connection)
        timeouts += "\(address.description) failed: timeout expired; "
        guard !rest.isEmpty, rest.count < all.count else {
          throw PostgresError(.cannotConnect, String(timeouts.dropLast(2)))
        }
        // libpq cannot skip one address during a login, so the other addresses are tried in a new
        // login.
        options += LoginAddress.options(rest)
      }
    }
  }

  private func start() throws(PostgresError) -> OpaquePointer {
    // The password option comes last, because the last option overrides the same option in the
    // address.
    let keywords = options.map(\.keyword) + (password == nil ? [] : ["password"])
    let pointer = withCStrings(keywords) { keywords in
      withCStrings(options.map(\.value), and: password) { values in
        PQconnectStartParams(keywords, values, 1)
      }
    }
    guard let pointer else {
      throw PostgresError(.cannotConnect, "libpq could not allocate a connection")
    }
    PQsetErrorVerbosity(pointer, PQERRORS_VERBOSE)
    PQsetNoticeReceiver(
      pointer,
      { context, result in
        guard let context, let result else { return }
        Unmanaged<Login>.fromOpaque(context).takeUnretainedValue().hear(result)
      }, Unmanaged.passUnretained(self).toOpaque())
    return pointer
  }

  private func hear(_ result: OpaquePointer) {
    // The DETAIL field is not read, because it may contain row values.
    func field(_ code: UInt8) -> String? {
      PQresultErrorField(result, Int32(code)).map { String(cString: $0) }
    }
    guard let message = field(UInt8(ascii: "M")) else { return }
    let severity = field(UInt8(ascii: "V")) ?? field(UInt8(ascii: "S")) ?? "NOTICE"
    notices.append("\(severity): \(message)".trimmedLine)
  }

  // MARK: Steps of libpq

  private enum End {
    /// The login has succeeded or failed.
    case ended
    /// An address did not respond in time.
    case late(LoginAddress)
  }

  /// Performs the steps of a login until the login ends, or until one address takes too long.
  ///
  /// As in libpq, the `connect_timeout` option is a limit for each address.
  private func complete(_ connection: OpaquePointer) -> End {
    let limit = Self.timeout(of: connection)
    var address: LoginAddress?
    var deadline: ContinuousClock.Instant?
    var step = PGRES_POLLING_WRITING
    while step == PGRES_POLLING_READING || step == PGRES_POLLING_WRITING,
      PQstatus(connection) != CONNECTION_BAD
    {
      let current = LoginAddress(current: connection)
      if current != address {
        address = current
        deadline = limit.map { .now + $0 }
      }
      guard Self.isReady(PQsocket(connection), for: step, until: deadline) else {
        return .late(current)
      }
      step = PQconnectPoll(connection)
    }
    return .ended
  }

  /// Returns the value of the `connect_timeout` option, or nil if the login has no time limit.
  private static func timeout(of connection: OpaquePointer) -> Duration? {
    let text = ResolvedAddress.options(PQconninfo(connection))["connect_timeout"]?.value
    guard let seconds = text.flatMap({ Int($0) }), seconds > 0 else { return nil }
    // A limit of one second is treated as two seconds, as in libpq.
    return .seconds(min(max(seconds, 2), 1_000_000))
  }

  private static func isReady(
    _ socket: Int32, for step: PostgresPollingStatusType, until deadline: ContinuousClock.Instant?
  ) -> Bool {
    var entry = pollfd(
      fd: socket, events: Int16(step == PGRES_POLLING_READING ? POLLIN : POLLOUT), revents: 0)
    while true {
      let left = deadline.map { ContinuousClock.now.duration(to: $0) / .milliseconds(1) } ?? -1
      guard deadline == nil || left > 0 else { return false }
      let ready = poll(&entry, 1, Int32(min(left.rounded(.up), 1_000_000_000)))
      if ready > 0 || ready < 0 && errno != EINTR { return true }
    }
  }
}
