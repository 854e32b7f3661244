/// The identity of transactions: a role of the database, and a claim that names the user.
///
/// Both are set for one transaction at a time, in the round trip of its BEGIN, and they end with the transaction in
/// every case. A connection therefore carries no identity over to its next transaction, even if a pooler lends the
/// server process to another client. They are sent as values: no SQL text is built from them.
public struct Identity: Sendable {
  /// The part of an identity that names the user of a transaction.
  ///
  /// The setting of the other kind is emptied, so that no earlier value is left.
  public enum Claim: Sendable {
    /// A text for the setting `baton.claim`, which the database can verify.
    case signed(String)
    /// JSON for `request.jwt.claims`, as PostgREST sets it: the database trusts its login.
    case unsigned(String)
    /// No user: the transaction is anonymous.
    case none
  }

  let role: String
  private let makeClaim: @Sendable (Connection.Backend?) -> Claim

  /// An identity.
  ///
  /// - Parameters:
  ///   - role: a role that the login is a member of; the server refuses any other role (42501).
  ///   - claim: creates the claim of one transaction. It receives the server process of a direct connection (nil with a
  ///     pooler), and is called on the connection's own thread.
  public init(
    role: String, claim: @escaping @Sendable (_ backend: Connection.Backend?) -> Claim
  ) {
    self.role = role
    makeClaim = claim
  }

  /// The call that gives a transaction this identity; `set_config` works like SET LOCAL ROLE, but takes the role as a
  /// value.
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
  /// One transaction with an identity and free planning, as ``Session/transaction(_:)`` runs it.
  @discardableResult
  public nonisolated func transaction<R>(
    in schema: Schema, as identity: Identity, _ body: (Transaction) async throws -> R
  ) async throws -> R {
    try await Session(self, in: schema, planning: .free).acting(as: identity).transaction(body)
  }
}
