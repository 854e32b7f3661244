#if HTTP
  import Baton
  import BatonPostgres
  import ChallengesSQL
  import Foundation
  import JobRunner
  import ProductAPI

  /// The API and the worker that the demo's phones use, and a group that one user has created.
  ///
  /// The phones use a separate schema, because the clock in the schema of the demo's replay does
  /// not move.
  struct PhoneDemo {
    private static let place = "the demo's server in .baton/demo"

    /// The address of the demo page for phones.
    let address: URL
    /// The link that lets a user join the group.
    ///
    /// The link's host is `localhost`, and the host of ``address`` is `127.0.0.1`. A browser stores
    /// data per host, so one browser can sign in a different user at each host.
    let link: URL
    private let group: String
    private let round: PhoneRound
    private let server: APIServer
    private let worker: DemoWorker

    /// Creates the schema for the phones, and starts the API and a worker process.
    ///
    /// - Parameters:
    ///   - database: the address of the demo's database, for a connection as a superuser.
    ///   - port: the API's port, or 0 for any free port.
    static func start(at database: String, port: Int, log: LogOptions) async throws -> PhoneDemo {
      guard let schema = Schema("demo_phones") else { preconditionFailure("it is a schema's name") }
      func login(_ kind: String) -> Database {
        Database(
          address: database.replacing("//postgres@", with: "//\(schema)_\(kind)@"), schema: schema,
          description: place)
      }
      let issuer = DemoIssuer()
      let keys = try write(issuer.keys, to: "keys.json")
      let secret = try await signingKey(of: schema, at: database)
      let settings = try APISettings(
        address: .port(port, host: "127.0.0.1"), userRole: "\(schema)_user", signIn: login("api"),
        issuer: issuer.setting(keysAt: keys), signingKey: secret, sessionKeys: sessionKeys(),
        logger: log.logger)
      let page = PhonePage(issuer: issuer)
      let api = GymRatsAPI(login("authenticator"), settings)
      let server = try await APIServer.start(api, settings) { await page.reply(to: $0) }
      let worker = try DemoWorker(login("worker"), http: nil)
      do {
        guard case .port(let port, _) = server.address, let address = url("127.0.0.1", port) else {
          preconditionFailure("the API has a port")
        }
        let round = PhoneRound(address: address, issuer: issuer)
        let (group, code) = try await round.makeGroup()
        guard let link = url("localhost", port, "#join=\(code)") else {
          preconditionFailure("a code contains only characters of URLs")
        }
        return PhoneDemo(
          address: address, link: link, group: group, round: round, server: server, worker: worker)
      } catch {
        worker.stop()
        throw error
      }
    }

    /// Plays one round with the client library, and returns the time until the board shows the
    /// workout.
    func playRound() async throws -> Duration { try await round.play(in: group, link: link) }

    /// Stops the API and the worker.
    func stop() async {
      await server.stop()
      worker.stop()
    }

    /// Stops the worker.
    ///
    /// The API is not stopped, because stopping it would mean waiting for idle connections to
    /// close. The API ends when the process ends.
    func stopWorker() { worker.stop() }

    // MARK: Parts

    private static func url(_ host: String, _ port: Int, _ rest: String = "") -> URL? {
      URL(string: "http://\(host):\(port)/\(rest)")
    }

    /// Creates an empty schema with roles, and returns the file with the key that signs identities.
    private static func signingKey(
      of schema: Schema, at address: String
    ) async throws -> PasswordFile {
      let database = Database(address: address, schema: schema, description: place)
      let connection = try await Connection.open(database.configuration())
      try await connection.script(SQL.Demo.dropPhones)
      let migrator = Migrator(schema, parts: Program.parts)
      _ = try await migrator.migrate(connection)
      try await Queue(Session(connection, in: schema)).define(Program.jobs, of: Program.release)
      _ = try await migrator.createRoles(connection)
      let rotate = Call.row(SQL.Demo.rotateKey) { (row) throws(PostgresError) -> String in
        let (id, key) = try row.decode(Int32.self, String.self)
        return "\(id):\(key)"
      }
      let key: String = try await connection.atomically(in: schema, rotate)
      await connection.close()
      return PasswordFile(
        try write(key, to: "signing.key"), namedBy: "the demo", holds: "signing key")
    }

    /// Returns a file with a random key for access tokens.
    private static func sessionKeys() throws -> PasswordFile {
      let digits = String((0..<64).compactMap { _ in "0123456789abcdef".randomElement() })
      return PasswordFile(
        try write("demo:\(digits)", to: "session.keys"), namedBy: "the demo", holds: "session key")
    }

    /// Writes a file that only the current user may read, and returns its path.
    private static func write(_ text: String, to name: String) throws -> String {
      let files = FileManager.default
      let folder = files.currentDirectoryPath + "/.baton/demo/keys"
      try files.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let path = "\(folder)/\(name)"
      try Data("\(text)\n".utf8).write(to: URL(filePath: path))
      try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      return path
    }
  }
#endif
