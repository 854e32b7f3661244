public import BatonPostgres
import Foundation

extension Identity {
  /// Returns the identity of a signed-in user with a signed identity token.
  ///
  /// Even a client that can execute its own SQL with this login cannot act as another user.
  ///
  /// - Parameters:
  ///   - id: the user's id.
  ///   - role: a role with the rights of users, which is `PREFIX_user` or a member of it.
  ///   - signer: a signer whose key is stored in the database.
  public static func user(_ id: String, role: String, signer: IdentitySigner) -> Identity {
    Identity(role: role) { backend in .signed(signer.claim(for: id, on: backend)) }
  }

  /// Returns the identity of a signed-in user without a signature, as PostgREST sets it.
  ///
  /// An unsigned identity is valid only while the database has no signing keys. Without signing
  /// keys, the database trusts the login to set only true identities.
  ///
  /// - Parameters:
  ///   - id: the user's id.
  ///   - role: a role with the rights of users, which is `PREFIX_user` or a member of it.
  public static func user(_ id: String, role: String) -> Identity {
    Identity(role: role) { _ in
      // Encoding a text cannot fail, and without the JSON the transaction would be anonymous.
      guard let json = try? JSONEncoder().encode(["sub": id]) else { return .none }
      return .unsigned(String(decoding: json, as: UTF8.self))
    }
  }

  /// Returns the identity of an anonymous caller.
  ///
  /// - Parameter role: a role with the rights of anonymous callers, which is `PREFIX_anon` or a
  ///   member of it.
  public static func nobody(role: String) -> Identity {
    Identity(role: role) { _ in .none }
  }
}
