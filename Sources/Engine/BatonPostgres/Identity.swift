/// Who transactions act as: a role of the database, and a claim that says for whom.
///
/// Both are set for one transaction at a time, in the round trip of its BEGIN, and end with it however it ends. So a
/// connection carries nobody over to its next transaction, also where a pooler lends the server process to another
/// client. They travel as values: no statement is made of them.
public struct Identity: Sendable {
  /// What says for whom a transaction speaks.
  ///
  /// The other kind is emptied, so that none is left from before.
  public enum Claim: Sendable {
    /// A text for the setting `baton.claim` that the database can verify.
    case signed(String)
    /// JSON for `request.jwt.claims`, as PostgREST sets it: the database believes its login.
    case unsigned(String)
    /// Nobody.
    case none
  }

  let role: String
  private let makeClaim: @Sendable (Connection.Backend?) -> Claim

  /// An identity.
  ///
  /// - Parameters:
  ///   - role: a role that the login is a member of; any other is refused by the server (42501).
  ///   - claim: makes the claim of one transaction. It is given the server process of a direct connection, nil
  ///     behind a pooler, and called on the connection's own thread.
  public init(
    role: String, claim: @escaping @Sendable (_ backend: Connection.Backend?) -> Claim
  ) {
    self.role = role
    makeClaim = claim
  }

  /// What makes a transaction act so; `set_config` of a role means what SET LOCAL ROLE does, and takes a value.
  func begin(on backend: Connection.Backend?) -> Call<Void> {
    switch makeClaim(backend) {
    case .signed(let text): .run(.actAs, "", text, role)
    case .unsigned(let json): .run(.actAs, json, "", role)
    case .none: .run(.actAs, "", "", role)
    }
  }
}

extension Statement {
  fileprivate static let actAs = Statement(
    "act_as",
    """
    select set_config('request.jwt.claims', $1, true), set_config('baton.claim', $2, true),
      set_config('role', $3, true)
    """)
}

extension Connection {
  /// One transaction that plans freely and acts as somebody, as ``Session/transaction(_:)`` runs it.
  @discardableResult
  public nonisolated func transaction<R>(
    in schema: Schema, as identity: Identity, _ body: (Transaction) async throws -> R
  ) async throws -> R {
    try await Session(self, in: schema, planning: .free).acting(as: identity).transaction(body)
  }
}
