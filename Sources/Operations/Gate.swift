import Baton
import Logging
import Postgres

/// Who may ask: what is refused before anything is looked at.
struct Gate: Sendable {
  /// The names by which clients may ask.
  let hosts: Set<String>
  /// What programs have to show; nil: none is let in by a token.
  let token: HTTPToken?
  /// What people have to show; nil: they have no session.
  let password: HTTPPassword?
  let sessions = Sessions()
  let logger: Logger
  /// What the forms hold of those who need to show nothing.
  private let openToken = RandomToken()

  init(_ settings: HTTPSettings, logger: Logger) {
    (hosts, token, password) = (settings.hosts, settings.token, settings.password)
    self.logger = logger
  }

  /// What became of a question.
  enum Admission: Sendable {
    /// It has its answer.
    case refused(Answer)
    /// It may be answered; nil: whoever it is.
    case admitted(Visitor?)
  }

  /// What programs ask that have no token and need none: they learn whether it works.
  private static let health: Set = ["/health/live", "/health/ready"]

  /// Whether a question may be answered.
  ///
  /// The host first: a page whose name leads to this machine for a moment sends what a program would send, but its
  /// own name with it.
  func admit(_ question: Question) -> Admission {
    guard isKnown(question.hosts) else {
      return .refused(.refused(421, "this host is not answered for"))
    }
    guard question.origins.allSatisfy(isKnown(origin:)) else {
      return .refused(.refused(403, "another origin"))
    }
    let methods = Self.methods(of: question.path)
    guard methods.contains(question.method) else {
      let allowed = methods.joined(separator: ", ")
      return .refused(.refused(405, "only \(allowed)", ["allow": allowed]))
    }
    let isPost = question.method == "POST"
    guard !isPost || isOwn(question) else {
      return .refused(.refused(403, "a form of another origin"))
    }
    guard !isOpen(question.path) else { return .admitted(nil) }
    guard let visitor = visitor(of: question) else { return .refused(unknown(question)) }
    guard !isPost || holds(question, visitor.formToken) else {
      return .refused(.refused(403, "the form is not of this session: open its page again"))
    }
    return .admitted(visitor)
  }

  private static func methods(of path: String) -> [String] {
    if let own = API.methods(of: path) { return own }
    let isRead =
      health.contains(path) || path.hasPrefix("/health/") || path == "/metrics"
      || path == "/events" || path == "/api/status" || path.hasPrefix("/assets/")
    return isRead ? ["GET", "HEAD"] : ["GET", "HEAD", "POST"]
  }

  /// What has no secret: health, the look of the pages, and the page where a session begins.
  private func isOpen(_ path: String) -> Bool {
    Self.health.contains(path)
      || password != nil && (path.hasPrefix("/assets/") || path == "/login")
  }

  // MARK: From where it comes

  private func isKnown(_ sent: [String]) -> Bool {
    guard sent.count == 1 else { return false }
    return hosts.contains(Self.name(of: sent[0]))
  }

  private func isKnown(origin: String) -> Bool {
    guard let scheme = origin.firstRange(of: "://") else { return false }
    return hosts.contains(Self.name(of: origin[scheme.upperBound...]))
  }

  /// Whether what changes something comes from a page of ours, or from no page: another program at another port of this
  /// machine has a known name too, and a browser would send it our cookie's value with its form.
  private func isOwn(_ question: Question) -> Bool {
    question.fetchSites.allSatisfy { $0 == "same-origin" }
      && question.origins.allSatisfy { origin in
        guard let scheme = origin.firstRange(of: "://"), let host = question.hosts.first else {
          return false
        }
        return origin[scheme.upperBound...].lowercased() == host.lowercased()
      }
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

  // MARK: Who it is

  /// Who shows a token is asked for nothing else: what is wrong with it is not made good by a cookie.
  private func visitor(of question: Question) -> Visitor? {
    guard question.authorizations.isEmpty else {
      return shows(question.authorizations) ? Visitor(kind: .program, formToken: nil) : nil
    }
    if let key = question.cookies[sessions.cookie],
      let session = sessions.session(key, isUse: question.isNavigation)
    {
      return Visitor(kind: .person(session.person, key: key), formToken: session.formToken)
    }
    guard token == nil, password == nil else { return nil }
    return Visitor(kind: .anybody, formToken: openToken)
  }

  private func shows(_ authorizations: [String]) -> Bool {
    // Where nothing has to be shown a wrong thing does no harm either.
    guard let token else { return password == nil }
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

  private func holds(_ question: Question, _ token: RandomToken?) -> Bool {
    guard let token else { return true }
    return token.isEqual(to: question.formToken)
  }

  /// A person is led to where a session begins, a program is told what it lacks.
  private func unknown(_ question: Question) -> Answer {
    let isPage = question.isNavigation && !question.path.hasPrefix("/api/")
    guard password != nil, isPage, question.authorizations.isEmpty,
      question.path != "/metrics", question.path != "/events"
    else {
      return .refused(
        401, token == nil && password != nil ? "a session is needed" : "a token is needed",
        ["www-authenticate": "Bearer"])
    }
    let next = question.method == "POST" ? Place() : question.place
    return .sent(to: Place("login", asking: ["next": next == Place() ? nil : next.text]))
  }
}

extension Answer {
  /// Go there, by GET.
  static func sent(to place: Place, _ headers: [String: String] = [:]) -> Answer {
    Answer(
      status: 303, type: "text/plain; charset=utf-8", body: "See \(place.text)\n",
      headers: headers.merging(["location": place.text]) { own, _ in own })
  }
}
