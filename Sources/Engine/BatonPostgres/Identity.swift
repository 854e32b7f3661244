/// The identity of a transaction: a database role, and a claim that identifies the user.
///
/// The role and the claim are set together with BEGIN, and they always end with the transaction.
/// The next transaction of the connection never inherits an identity, even if a pooler gives the
/// server process to another client. The role and the claim are sent as values, so no SQL text is
/// built from user input.
public struct Identity: Sendable {
  /// The part of an identity that specifies the user of a transaction.
  ///
  /// A signed claim clears the transaction's unsigned claim, and an unsigned claim clears the
  /// signed claim.
  public enum Claim: Sendable {
    /// A signed identity token for the `baton.claim` setting, which the database can verify.
    case signed(String)
    /// JSON for the `request.jwt.claims` setting, in PostgREST's format.
    ///
    /// The database accepts an unsigned claim only from a trusted login.
    case unsigned(String)
    /// The transaction has no user, so it is anonymous.
    case none
  }

  let role: String
  private let makeClaim: @Sendable (Connection.Backend?) -> Claim

  /// Creates an identity.
  ///
  /// - Parameters:
  ///   - role: a role that the login is a member of. If the login is not a member of the role, the
  ///     server returns SQLSTATE 42501.
  ///   - claim: returns the claim for one transaction. The closure's argument is the server process
  ///     of a direct connection, or nil for a connection through a pooler. The connection's own
  ///     thread calls the closure.
  public init(
    role: String, claim: @escaping @Sendable (_ backend: Connection.Backend?) -> Claim
  ) {
    self.role = role
    makeClaim = claim
  }

  /// Returns the call that gives a transaction this identity.
  ///
  /// `set_config` sets the role like SET LOCAL ROLE, but takes the role as a parameter.
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
    select pg_catalog.set_config('request.jwt.claims', $1, true),
      pg_catalog.set_config('baton.claim', $2, true),
      pg_catalog.set_config('role', $3, true)
    """)
}

extension Connection {
  /// Executes one transaction with an identity and the ``Planning/free`` planning mode, like
  /// ``Session/transaction(_:)``.
  @discardableResult
  public nonisolated func transaction<R>(
    in schema: Schema, as identity: Identity, _ body: (Transaction) async throws -> R
  ) async throws -> R {
    try await Session(self, in: schema, planning: .free).acting(as: identity).transaction(body)
  }
}
