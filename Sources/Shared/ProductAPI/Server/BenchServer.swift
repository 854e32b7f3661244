#if HTTP
  package import Baton
  package import BatonPostgres
  package import Foundation
  import Logging

  /// A server of a product's API that runs in a benchmark's process.
  ///
  /// The server does the same work as the `api` command, with the same limits on time and size. The
  /// login's privileges are not checked: it may be a superuser. Requests have no per-minute limit.
  package struct BenchServer: Sendable {
    /// The address for clients, such as `http://127.0.0.1:40123`.
    package let url: URL
    private let sessions: SessionTokens
    private let key: SigningKey
    private let role: String

    /// A key from the database that the server uses to sign users' identities.
    package struct Key: Sendable {
      let id: Int32
      let text: String
      let role: String

      /// Creates a key.
      ///
      /// - Parameter role: the role in which users' calls are executed.
      package init(id: Int32, text: String, role: String) {
        (self.id, self.text, self.role) = (id, text, role)
      }
    }

    /// The metrics, shared by all servers in the process.
    private static let metrics = APIMetrics()
    private static let logger: Logger = {
      var logger = Logger(label: "bench")
      logger.logLevel = .critical
      return logger
    }()

    /// Runs the body with a server and stops it afterwards.
    ///
    /// - Parameters:
    ///   - connections: the number of connections for users' calls.
    ///   - clients: the number of connections opened by clients in this process.
    ///   - make: creates the product with the settings.
    /// - Throws: `Complaint`, `PostgresError`, a file system error, or an error that the body
    ///   throws.
    package static func with<Product: APIProduct, R>(
      _ database: Database, key: Key, connections: Int, clients: Int,
      _ make: (Database, APISettings) -> Product, _ body: (BenchServer) async throws -> R
    ) async throws -> R {
      // The server and the clients run in one process, so each connection needs two file
      // descriptors.
      try OpenFiles.allow(connections: clients * 2)
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "baton-bench-\(UUID().uuidString)").path(percentEncoded: false)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      var limits = APILimits()
      (limits.ofUser, limits.ofAddress) = (1_000_000, 100_000_000)
      limits.connectionsOfAddress = APIServer.mostConnections
      let settings = try APISettings(
        address: .port(0, host: "127.0.0.1"), userRole: key.role, signIn: database, issuer: nil,
        signingKey: try secret("\(key.id):\(key.text)", "\(folder)/key"),
        sessionKeys: try secret("bench:\(key.text)", "\(folder)/session-keys"),
        lifetime: 3_600, connections: connections, limits: limits, logger: logger)
      guard let sessions = settings.sessions else { preconditionFailure("the bench has sessions") }
      let server = try await APIServer.start(
        make(database, settings), settings, metrics: metrics)
      let result: Result<R, any Error>
      do {
        guard case .port(let port, let host) = server.address,
          let url = URL(string: "http://\(host):\(port)")
        else { preconditionFailure("the bench listens on a port") }
        result = .success(
          try await body(
            BenchServer(url: url, sessions: sessions, key: settings.key, role: key.role)))
      } catch {
        result = .failure(error)
      }
      // The server stops in a new task, because a signal may have cancelled the current task.
      await Task { await server.stop() }.value
      return try result.get()
    }

    /// Returns an access token for a user, valid for one hour.
    package func token(for user: String) async throws -> String {
      try await sessions.token(of: UUID(), for: user).text
    }

    /// Returns the signed identity that the server uses for a user's calls.
    package func identity(of user: String) -> Identity { key.identity(of: user, role: role) }

    private static func secret(_ text: String, _ path: String) throws -> PasswordFile {
      try Data((text + "\n").utf8).write(to: URL(filePath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      return PasswordFile(path, namedBy: "the bench", holds: "key")
    }
  }
#endif
