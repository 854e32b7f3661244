#if HTTP && !canImport(Darwin)
  import AsyncHTTPClient
  import Baton
  import BatonPostgres
  import Bench
  import Challenges
  import ChallengesHTTP
  import ChallengesSQL
  import Foundation
  import ProductAPI
  import ProductHTTP

  /// Simulated phones that call an HTTP API server in this process.
  struct BenchPhones: Sendable {
    let server: BenchServer
    private let client: HTTPClient

    /// Runs the body with a server for the bench's schema.
    ///
    /// - Parameters:
    ///   - connections: the number of the server's database connections.
    ///   - clients: the number of connections that the phones may open.
    static func with<R>(
      _ stage: BenchStage, connections: Int, clients: Int,
      _ body: (BenchPhones) async throws -> R
    ) async throws -> R {
      let key: BenchServer.Key = try await stage.run(
        .row(SQL.Bench.rotateKey) { (row) throws(PostgresError) in
          let (id, text, role) = try row.decode(Int32.self, String.self, String.self)
          return BenchServer.Key(id: id, text: text, role: role)
        })
      let database = Database(
        address: stage.configuration.address, schema: stage.schema, description: "the bench",
        password: stage.configuration.password)
      return try await BenchServer.with(
        database, key: key, connections: connections, clients: clients,
        { GymRatsAPI($0, $1) }
      ) { server in
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = clients
        let client = HTTPClient(
          eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
        let result: Result<R, any Error>
        do {
          result = .success(try await body(BenchPhones(server: server, client: client)))
        } catch {
          result = .failure(error)
        }
        try await client.shutdown()
        return try result.get()
      }
    }

    /// Returns repositories that call the server on behalf of a user's phone.
    func repositories(for user: String) async throws -> ActorRepositories {
      let token = try await server.token(for: user)
      let connection = ServerConnection(
        to: server.url, transport: AsyncHTTPTransport(client: client)
      ) { _ in token }
      return ChallengesHTTP(connection).repositories(for: user)
    }
  }
#endif
