import CLibPQ
import Foundation

/// The address of the database, and the settings that detect lost connections.
///
/// The address is never printed, because it may contain a password.
public struct ConnectionConfiguration: Sendable, CustomStringConvertible, CustomReflectable {
  /// A URL or keyword string that is passed unchanged to libpq, or an empty string to use libpq's
  /// environment variables.
  public let address: String
  /// The name in `pg_stat_activity`, unless the address or the environment sets a different name.
  public let applicationName: String
  /// Whether COMMIT waits until the transaction is on disk.
  ///
  /// If COMMIT does not wait until the transaction is on disk, a server crash can lose transactions
  /// from about the last second. Use false only for transactions that can be repeated. The property
  /// affects only direct connections.
  public let isDurable: Bool
  /// A closure that is called with each connection immediately after the connection is opened.
  ///
  /// If the closure throws an error, the connection is closed.
  public var whenOpened: (@Sendable (Connection) async throws(PostgresError) -> Void)?
  /// Whether the connection's transactions are read-only.
  public var isReadOnly = false
  /// The maximum duration of a statement, or nil if unlimited.
  ///
  /// The server cancels a statement that takes longer (57014). The statement timeout is set in each
  /// transaction, because a pooler discards a session's settings. A script of several statements
  /// (``Connection/script(_:)``) outside a transaction is not limited.
  ///
  /// If the server has not responded 5 s after the timeouts of all statements that were sent
  /// together, the connection is closed.
  public var statementTimeout: Duration?
  /// The maximum size of one statement's result, in bytes of memory, or nil for no limit.
  ///
  /// A larger result is discarded after the client has received it, and the call fails with
  /// SQLSTATE 22000.
  public var maximumResultSize: Int?
  /// The maximum wait for each result, or nil for the limit that ``statementTimeout`` implies.
  ///
  /// If a result takes longer, the connection is closed. Without a limit, a connection waits
  /// forever for a server or a proxy that acknowledges packets but does not respond.
  package var longestAnswer: Duration?
  /// The password file, which takes precedence over libpq's own password sources.
  public let password: PasswordFile?

  /// Creates a configuration.
  ///
  /// - Parameters:
  ///   - address: `postgresql://user@host/database`, also with `?host=/socket/directory`, or
  ///     libpq's `keyword=value` form. If the address is empty, libpq uses `PGHOST`, `PGSERVICE`,
  ///     `.pgpass` and other sources.
  ///   - applicationName: the name in `pg_stat_activity`.
  ///   - isDurable: whether COMMIT waits until the transaction is on disk.
  ///   - password: the password file, which is read for each connection. If no password file is
  ///     given, libpq uses the password from the address, the service, `PGPASSWORD` or `.pgpass`,
  ///     or no password.
  public init(
    address: String, applicationName: String = "baton", isDurable: Bool = true,
    password: PasswordFile? = nil
  ) {
    self.address = address
    self.applicationName = applicationName
    self.isDurable = isDurable
    self.password = password
  }

  /// Returns the maximum wait for each result, or nil for no limit.
  ///
  /// The server itself ends each statement after ``statementTimeout``. If a result arrives later,
  /// the server or a proxy no longer responds.
  ///
  /// - Parameter statements: the number of statements that were sent together, or nil if it is
  ///   unknown.
  func answerLimit(statements: Int?) -> Duration? {
    if let longestAnswer { return longestAnswer }
    guard let statementTimeout, let statements else { return nil }
    return statementTimeout * max(1, statements) + .seconds(5)
  }

  /// The calls at the start of each transaction for ``isReadOnly`` and ``statementTimeout``.
  var limits: [Call<Void>] {
    let timeout = statementTimeout.map {
      Call<Void>.run(.limitDuration, "\(Int64($0 / .milliseconds(1)))ms")
    }
    return (isReadOnly ? [.run(.readOnly)] : []) + [timeout].compactMap { $0 }
  }

  /// The options for libpq, in order.
  ///
  /// A later option overrides an earlier option with the same keyword.
  var options: [(keyword: String, value: String)] {
    var options = [("fallback_application_name", applicationName)]
    // With these options, a dead server is detected within 10 to 15 s instead of about 15 minutes.
    let defaults = [
      ("connect_timeout", "5", "PGCONNECT_TIMEOUT"), ("tcp_user_timeout", "10000", ""),
      ("keepalives_idle", "5", ""), ("keepalives_interval", "3", ""), ("keepalives_count", "3", ""),
    ]
    let environment = ProcessInfo.processInfo.environment
    for (keyword, value, variable) in defaults where environment[variable] == nil {
      options.append((keyword, value))
    }
    options += NetworkSafety(of: self).options.map { ($0.keyword, $0.value) }
    options.append(("dbname", address))
    options.append(("client_encoding", "UTF8"))
    return options
  }

  /// The address in the form of libpq's environment variables, for PostgreSQL programs that this
  /// process starts.
  ///
  /// If a password were a program argument, all users of the machine could read it.
  ///
  /// - Throws: ``PostgresError`` if the password file is unusable.
  public var environment: [String: String] {
    get throws(PostgresError) {
      let options = PQconninfoParse(address, nil)
      defer { PQconninfoFree(options) }
      var variables: [String: String] = [:]
      var option = options
      while let current = option?.pointee, current.keyword != nil {
        if let name = current.envvar, let value = current.val {
          variables[String(cString: name)] = String(cString: value)
        }
        option = option?.advanced(by: 1)
      }
      for option in NetworkSafety(of: self).options { variables[option.variable] = option.value }
      if let secret = try password?.read() {
        variables["PGPASSWORD"] = secret.withCString { String(cString: $0) }
      }
      return variables
    }
  }

  /// Checks that libpq can parse the address, for programs that do not open a connection at
  /// startup.
  ///
  /// - Throws: ``PostgresError`` with SQLSTATE 22023, which is also the error for a connection to
  ///   an invalid address.
  public func check() throws(PostgresError) {
    guard !isWellFormed else { return }
    throw PostgresError(
      "22023", "the address of the database is not a URL or keyword=value list that libpq reads")
  }

  /// Whether libpq can parse the address as the user intended.
  ///
  /// The address is checked before the first connection. If the address were not checked first,
  /// libpq's message would repeat the invalid part, which may contain a password.
  var isWellFormed: Bool {
    guard address.contains("=") || address.contains("://") else { return true }
    let options = PQconninfoParse(address, nil)
    defer { PQconninfoFree(options) }
    return options != nil && !isCutInItsPassword
  }

  /// Whether the password in a URL contains a character that splits the URL at the wrong position.
  ///
  /// The characters `@` and `/` split a URL unless they are percent-encoded. The value is true for
  /// a URL such as `postgresql://user:secret`, because libpq would read the password as a port. If
  /// libpq split the URL inside the password, libpq would print part of the password in messages.
  private var isCutInItsPassword: Bool {
    guard let scheme = address.firstRange(of: "://") else { return false }
    guard parsed["port"]?.allSatisfy({ $0.isNumber || $0 == "," }) ?? true else { return true }
    let rest = address[scheme.upperBound...]
    guard let at = rest.firstIndex(of: "@") else { return false }
    let (ahead, behind) = (rest[..<at], rest[at...].dropFirst().prefix { $0 != "?" })
    return behind.contains("@") || (ahead.contains("/") && !ahead.contains("?"))
  }

  /// A warning if an explicit setting weakens the security of a network connection, or nil.
  public var warning: String? { NetworkSafety(of: self).warning }

  /// Whether a password may be available, according to the sources that the client can check
  /// without the server.
  public var mayUsePassword: Bool {
    guard password == nil, let resolved = ResolvedAddress(address) else { return true }
    return resolved.hasPassword || FileManager.default.fileExists(atPath: passwordFileOfLibpq)
  }

  /// The path at which libpq expects a `.pgpass` file.
  private var passwordFileOfLibpq: String {
    parsed["passfile"] ?? ProcessInfo.processInfo.environment["PGPASSFILE"]
      ?? Self.home + "/.pgpass"
  }

  /// The home folder in which libpq searches for the user's files.
  static var home: String {
    let named = ProcessInfo.processInfo.environment["HOME"] ?? ""
    return named.isEmpty ? NSHomeDirectory() : named
  }

  /// The libpq options in the address itself, excluding the passwords.
  var parsed: [String: String] {
    ResolvedAddress.options(PQconninfoParse(address, nil)).mapValues(\.value)
  }

  /// A description that does not contain the address.
  public var description: String { "the connections of \(applicationName)" }
  /// A mirror that does not contain the address.
  public var customMirror: Mirror { Mirror(self, children: ["name": applicationName]) }
}
