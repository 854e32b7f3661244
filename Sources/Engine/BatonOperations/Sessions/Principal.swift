/// The authenticated party that sends a request.
struct Principal: Sendable {
  enum Kind: Sendable, Equatable {
    /// A program that sent the bearer token.
    case program
    /// A user with a session.
    ///
    /// `key` is the session cookie's value.
    case person(String, key: String)
    /// Any local client, if no credentials are required.
    case anonymous
  }

  let kind: Kind
  /// The CSRF token that the principal's forms must contain, or nil for a program.
  ///
  /// A program needs no CSRF token, because a browser never adds a bearer token by itself.
  let formToken: RandomToken?

  /// The principal's name in the audit log.
  var name: String {
    switch kind {
    case .program: "token"
    case .person(let name, _): name
    case .anonymous: "anonymous"
    }
  }
}
