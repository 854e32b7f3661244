import TestSupport
import Testing

/// Tests the warnings if a configuration lowers the required security of a connection, at any
/// place.
@Suite(.timeLimit(.minutes(5)))
struct NetworkWarningTests {
  /// Returns a command's messages about a server on another machine, where no server listens.
  private func said(
    service: String = "", environment: [String: String] = [:]
  ) async throws -> String {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "services",
      lines: [
        "[far]", "host=db.gymrats.test", "hostaddr=127.0.0.1", "port=\(try Listener.unusedPort())",
      ] + (service.isEmpty ? [] : [service]))
    var gymrats = BatonProgram(environment: ["PGSERVICE": "far", "PGSERVICEFILE": file])
    gymrats.environment.merge(environment) { $1 }
    let ended = try await gymrats.run("jobs")
    #expect(ended.status == 69, "\(ended.errors)")
    return ended.errors
  }

  @Test(.sampled()) func `a mode that a service or a variable names is obeyed with a warning`()
    async throws
  {
    for mode in ["require", "disable", "verify-ca"] {
      let word = "warning: sslmode=\(mode) "
      let ofService = try await said(service: "sslmode=\(mode)")
      let ofVariable = try await said(environment: ["PGSSLMODE": mode])
      #expect(ofService.hasPrefix(word) && ofVariable.hasPrefix(word), "\(ofService)\(ofVariable)")
    }
    // The defaults of libpq itself do not count as a choice.
    for service in ["", "sslmode=prefer", "sslmode=verify-full"] {
      let errors = try await said(service: service)
      #expect(!errors.contains("warning"), "\(errors)")
    }
  }
}
