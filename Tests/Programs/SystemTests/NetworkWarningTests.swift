import TestSupport
import Testing

/// What somebody chose who asks less of a server than there is, wherever they chose it.
@Suite(.timeLimit(.minutes(2)))
struct NetworkWarningTests {
  /// What a command says of a server on another machine, at which nobody listens.
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

  @Test func `a mode that a service or a variable names is obeyed with a warning`() async throws {
    for mode in ["require", "disable", "verify-ca"] {
      let word = "warning: sslmode=\(mode) "
      let ofService = try await said(service: "sslmode=\(mode)")
      let ofVariable = try await said(environment: ["PGSSLMODE": mode])
      #expect(ofService.hasPrefix(word) && ofVariable.hasPrefix(word), "\(ofService)\(ofVariable)")
    }
    // What libpq would take by itself nobody chose.
    for service in ["", "sslmode=prefer", "sslmode=verify-full"] {
      let errors = try await said(service: service)
      #expect(!errors.contains("warning"), "\(errors)")
    }
  }
}
