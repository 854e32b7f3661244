public import BatonPostgres
import Foundation

extension Identity {
  /// Returns the identity of a signed-in user with a signed identity token.
  ///
  /// Even a client that can execute its own SQL with the connection's login cannot act as another
  /// user.
  ///
  /// - Parameters:
  ///   - id: the user's id.
  ///   - role: a role with the privileges of users. The role is `PREFIX_user`, or a member of
  ///     `PREFIX_user`.
  ///   - signer: a signer whose key is stored in the database.
  public static func user(_ id: String, role: String, signer: IdentitySigner) -> Identity {
    Identity(role: role) { backend in .signed(signer.claim(for: id, on: backend)) }
  }

  /// Returns the unsigned identity of a signed-in user, in PostgREST's format.
  ///
  /// An unsigned identity is valid only while the database has no signing keys. Without signing
  /// keys, the database trusts the login to set only correct identities.
  ///
  /// - Parameters:
  ///   - id: the user's id.
  ///   - role: a role with the privileges of users. The role is `PREFIX_user`, or a member of
  ///     `PREFIX_user`.
  public static func user(_ id: String, role: String) -> Identity {
    Identity(role: role) { _ in
      // Encoding a string cannot fail. If the encoding failed, the transaction would be anonymous.
      guard let json = try? JSONEncoder().encode(["sub": id]) else { return .none }
      return .unsigned(String(decoding: json, as: UTF8.self))
    }
  }

  /// Returns the identity of an anonymous caller.
  ///
  /// - Parameter role: a role with the privileges of anonymous callers. The role is `PREFIX_anon`,
  ///   or a member of `PREFIX_anon`.
  public static func nobody(role: String) -> Identity {
    Identity(role: role) { _ in .none }
  }
}
