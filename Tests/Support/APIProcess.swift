#if HTTP
  import BatonPostgres
  package import Foundation

  /// A process of a product's API for a copy of a template database.
  package struct APIProcess: Sendable {
    /// The address for clients.
    package let address: URL
    /// The process of the server.
    package let process: TestProcess
    /// The identity provider whose subjects are the ids of the product's users.
    package let issuer: TestIssuer

    /// Runs the body with a server, which is killed afterwards.
    ///
    /// - Parameters:
    ///   - name: the name of the program.
    ///   - key: the key of the database for signed identities.
    ///   - hasIssuer: whether the server accepts the tokens of ``issuer``.
    /// - Throws: `TestFailure` if the server does not start, or the error of the body.
    package static func with<R>(
      _ name: String, _ template: RoleTemplate, database: String, key: ClaimKey,
      hasIssuer: Bool = true, _ body: (APIProcess) async throws -> R
    ) async throws -> R {
      let folder = try TemporaryFolder()
      let issuer = TestIssuer(id: "first")
      let keyFile = try folder.write("key", lines: ["\(key.id):\(key.text)"])
      guard chmod(keyFile, 0o600) == 0 else { throw TestFailure("the key file has no mode") }
      let keys = try folder.write("keys.json", lines: [issuer.keys])
      let issuers = try folder.write(
        "issuers.json",
        lines: [
          #"[{"provider":"users","issuer":"https://issuer.test","audience":["app"],"keys":"\#(keys)"}]"#
        ])
      var program = BatonProgram(executable: try BatonProgram.path(of: name))
      program.environment = [
        "DATABASE_URL": try template.configuration(as: "authenticator", in: database).address,
        "BATON_API_SIGN_IN_URL": try template.configuration(as: "api", in: database).address,
        "BATON_SCHEMA": template.schema.name, "BATON_API_KEY_FILE": keyFile,
        "BATON_API_HTTP": "127.0.0.1:0", "BATON_API_USER_LIMIT": "1000000",
        "BATON_API_ADDRESS_LIMIT": "1000000",
      ]
      if hasIssuer { program.environment["BATON_API_ISSUERS_FILE"] = issuers }
      let process = try program.start("api")
      defer { process.signal(SIGKILL) }
      try await eventually("the port") {
        guard process.isRunning else { throw TestFailure(process.errorsSoFar) }
        return process.errorsSoFar.contains("answering HTTP at")
      }
      guard let port = process.errorsSoFar.firstMatch(of: /HTTP at 127\.0\.0\.1:(\d+),/)?.1,
        let address = URL(string: "http://127.0.0.1:\(port)")
      else { throw TestFailure("no port is in: \(process.errorsSoFar)") }
      return try await body(APIProcess(address: address, process: process, issuer: issuer))
    }
  }
#endif
