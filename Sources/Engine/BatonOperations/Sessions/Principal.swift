/// The party that sends a request, and how it was identified.
struct Principal: Sendable {
  enum Kind: Sendable, Equatable {
    /// A program that presented the token.
    case program
    /// A person with a session; `key` is the value of the cookie.
    case person(String, key: String)
    /// Any local client, if no credentials are required.
    case anonymous
  }

  let kind: Kind
  /// The CSRF token that its forms must contain; nil: not required, because no browser adds a bearer token by itself.
  let formToken: RandomToken?

  /// The name in the audit log.
  var name: String {
    switch kind {
    case .program: "token"
    case .person(let name, _): name
    case .anonymous: "anybody"
    }
  }
}
