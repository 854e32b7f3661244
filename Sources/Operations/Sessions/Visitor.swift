/// Who asks, and how that is known.
struct Visitor: Sendable {
  enum Kind: Sendable, Equatable {
    /// A program that showed the token.
    case program
    /// A person with a session; `key` is what the browser showed.
    case person(String, key: String)
    /// Whoever can reach a program of this machine that asks for nothing.
    case anybody
  }

  let kind: Kind
  /// What a form that it sends has to hold; nil: it needs none, because no browser adds what it shows by itself.
  let formToken: RandomToken?

  /// What stands in the audit.
  var name: String {
    switch kind {
    case .program: "token"
    case .person(let name, _): name
    case .anybody: "anybody"
    }
  }
}
