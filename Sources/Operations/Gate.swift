import Baton
import Logging
import Postgres

/// Who may ask: what is refused before anything is looked at.
struct Gate: Sendable {
  /// The names by which clients may ask.
  let hosts: Set<String>
  /// What they have to show; nil: nothing.
  let token: HTTPToken?
  let logger: Logger

  /// What programs ask that have no token and need none: they learn whether it works.
  private static let open: Set = ["/health/live", "/health/ready"]

  /// Why a question has no answer; nil: it has one.
  ///
  /// The host first: a page whose name leads to this machine for a moment sends what a program would send, but its
  /// own name with it.
  func refusal(of question: Question) -> Answer? {
    guard isKnown(question.hosts) else {
      return .refused(421, "this host is not answered for")
    }
    guard question.origins.allSatisfy(isKnown(origin:)) else {
      return .refused(403, "another origin")
    }
    guard ["GET", "HEAD"].contains(question.method) else {
      return .refused(405, "only GET and HEAD", ["allow": "GET, HEAD"])
    }
    guard Self.open.contains(question.path) || shows(question.authorizations) else {
      return .refused(401, "a token is needed", ["www-authenticate": "Bearer"])
    }
    return nil
  }

  private func isKnown(_ sent: [String]) -> Bool {
    guard sent.count == 1 else { return false }
    return hosts.contains(Self.name(of: sent[0]))
  }

  private func isKnown(origin: String) -> Bool {
    guard let scheme = origin.firstRange(of: "://") else { return false }
    return hosts.contains(Self.name(of: origin[scheme.upperBound...]))
  }

  /// Without the port, in lower case: `[::1]:8080` and `Localhost:8080`.
  static func name(of host: some StringProtocol) -> String {
    let lower = host.lowercased()
    if lower.hasPrefix("["), let end = lower.firstIndex(of: "]") {
      let rest = lower[end...].dropFirst()
      return rest.isEmpty || rest.hasPrefix(":") ? String(lower[...end]) : lower
    }
    return String(lower.prefix { $0 != ":" })
  }

  private func shows(_ authorizations: [String]) -> Bool {
    guard let token else { return true }
    guard authorizations.count == 1 else { return false }
    let parts = authorizations[0].split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return false }
    do {
      return try token.read().isEqual(to: parts[1])
    } catch {
      logger.warning("nobody is let in: \(error)")
      return false
    }
  }
}
