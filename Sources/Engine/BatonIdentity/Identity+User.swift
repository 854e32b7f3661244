public import BatonPostgres
import Foundation

extension Identity {
  /// A signed-in user with a signed identity token.
  ///
  /// Someone who can run their own SQL with this login still cannot act as another user.
  ///
  /// - Parameters:
  ///   - id: the user's id.
  ///   - role: a role with the rights of users: `PREFIX_user`, or a member of it.
  ///   - signer: a signer whose key the database has.
  public static func user(_ id: String, role: String, signer: IdentitySigner) -> Identity {
    Identity(role: role) { backend in .signed(signer.claim(for: id, on: backend)) }
  }

  /// A signed-in user with an unsigned identity, as PostgREST sets it.
  ///
  /// It is valid only while the database has no signing keys. The database then trusts the login to set only true
  /// identities.
  ///
  /// - Parameters:
  ///   - id: the user's id.
  ///   - role: a role with the rights of users: `PREFIX_user`, or a member of it.
  public static func user(_ id: String, role: String) -> Identity {
    Identity(role: role) { _ in
      // Encoding a text cannot fail; without an identity the transaction would be anonymous.
      guard let json = try? JSONEncoder().encode(["sub": id]) else { return .none }
      return .unsigned(String(decoding: json, as: UTF8.self))
    }
  }

  /// An anonymous caller, who is not signed in.
  ///
  /// - Parameter role: a role with the rights of anonymous callers: `PREFIX_anon`, or a member of it.
  public static func nobody(role: String) -> Identity {
    Identity(role: role) { _ in .none }
  }
}
